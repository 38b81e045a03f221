import { useQuery } from '@tanstack/react-query';
import { Time } from '../../../shared/ui/data/time.tsx';
import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';
import { frontQuery } from '../../api/front.ts';
import type { Key, KeyWithSecret } from '../../api/keys.ts';
import { KEY_HEADER, KEY_VARIABLE } from '../../reference/samples/sample.ts';
import { useSite } from '../../session/session-context.ts';

interface Props {
  readonly made: KeyWithSecret;
  /** The key that the new one replaces, with its current state. Undefined if the new key replaces none. */
  readonly replaced: Key | undefined;
  readonly onClose: () => void;
}

/** Shows the secret of a new key, and a working call. */
export function NewKeyDialog({ made, replaced, onClose }: Props) {
  const { apiUrl } = useSite();
  const path = useQuery(frontQuery).data?.firstCall.path ?? '/';
  return (
    <SecretDialog
      title={replaced === undefined ? 'New key' : 'New secret'}
      warning="The gateway stores only its hash."
      secret={made.key}
      advice="Copy it now, and store it where your application reads its secrets, never in source code."
      // Every sample in the reference reads the key from this variable.
      command={`export ${KEY_VARIABLE}=${made.key}\ncurl -i -H "${KEY_HEADER}: $${KEY_VARIABLE}" '${apiUrl}${path}'`}
      commandTitle="Call the API with it"
      commandLabel="Copy the commands"
      commandNote={
        <>
          The reference has the code in other languages.{' '}
          {replaced?.rotatedTo === made.id && replaced.expiresAt !== null && (
            <>
              The old secret (…{replaced.lastFour}) expires <Time at={replaced.expiresAt} />.
            </>
          )}
        </>
      }
      onClose={onClose}
    />
  );
}
