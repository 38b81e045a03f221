import { useQuery } from '@tanstack/react-query';
import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';
import { frontQuery } from '../../api/front.ts';
import type { KeyWithSecret } from '../../api/keys.ts';
import { KEY_HEADER, KEY_VARIABLE } from '../../reference/samples/sample.ts';
import { useSite } from '../../session/session-context.ts';

/** Shows the secret of a key, with a call that works. */
export function NewKeyDialog({ made, onClose }: { readonly made: KeyWithSecret; readonly onClose: () => void }) {
  const { apiUrl } = useSite();
  const path = useQuery(frontQuery).data?.firstCall.path ?? '/';
  return (
    <SecretDialog
      title="New key"
      warning="The gateway stores only its hash."
      secret={made.key}
      advice="Copy it now, and store it where your application reads its secrets, never in source code."
      // The variable that every sample of the reference reads.
      command={`export ${KEY_VARIABLE}=${made.key}\ncurl -i -H "${KEY_HEADER}: $${KEY_VARIABLE}" '${apiUrl}${path}'`}
      commandTitle="Call the API with it"
      commandLabel="Copy the commands"
      onClose={onClose}
    />
  );
}
