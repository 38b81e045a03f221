import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../shared/ui/controls/button.tsx';
import { keyQuery } from '../api/keys.ts';
import { useSession } from '../session/session-context.ts';
import { ExemptDialog } from './lazy-dialogs.ts';

/**
 * A button in a list that exempts a key from refusals for requests that do not fit the document, or ends the exemption.
 * It asks for confirmation. Older keys of a rotation chain have no button, because the newest key decides for them.
 */
export function ExemptButton({ keyId }: { readonly keyId: string }) {
  const isKey = keyId.startsWith('key_');
  const key = useQuery({ ...keyQuery(keyId), enabled: isKey }).data;
  const { canChange } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  if (!canChange || key === undefined || key.status === 'revoked' || key.rotatedTo !== null) return null;
  const isExempt = key.validation === 'report';
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        title={isExempt ? `End the exemption of ${key.name}` : `Exempt ${key.name} from refusals`}
      >
        {isExempt ? 'End…' : 'Exempt…'}
      </Button>
      {isOpen && <ExemptDialog apiKey={key} onClose={() => setIsOpen(false)} />}
    </>
  );
}
