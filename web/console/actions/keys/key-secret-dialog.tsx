import { useQuery } from '@tanstack/react-query';
import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';
import type { KeyWithSecret } from '../../api/key-changes.ts';
import { configurationQuery, systemQuery } from '../../api/system.ts';

/** Shows the secret of a new key to the operator, who hands it on. */
export function NewKeyDialog({
  secret: { key, name, owner },
  onClose,
}: {
  readonly secret: KeyWithSecret;
  readonly onClose: () => void;
}) {
  const apiUrl = useApiUrl();
  return (
    <SecretDialog
      title={`New key “${name}” for ${owner}`}
      warning="The gateway stores only a hash of it."
      secret={key}
      advice="Copy it now, and give it to the consumer."
      command={`curl -H 'X-API-Key: ${key}' "${apiUrl}/"`}
      commandTitle="Call the API with it"
      commandLabel="Copy the curl line"
      onClose={onClose}
    />
  );
}

/** Where consumers call the API: as the portal says, or where this gateway listens. */
function useApiUrl(): string {
  const configured = useQuery(configurationQuery).data?.settings.find(({ name }) => name === 'portal.apiUrl')?.value;
  const listens = useQuery(systemQuery).data?.listeners.public;
  const url = typeof configured === 'string' ? configured : (listens ?? '$GATEWAY_URL');
  return url.replace(/\/$/, '');
}
