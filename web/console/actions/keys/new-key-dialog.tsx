import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';
import type { KeyWithSecret } from '../../api/key-changes.ts';

/** Shows the secret of a new key to the operator, who hands it on. */
export function NewKeyDialog({
  secret: { key },
  onClose,
}: {
  readonly secret: KeyWithSecret;
  readonly onClose: () => void;
}) {
  return (
    <SecretDialog
      title="The new key"
      warning="The gateway keeps only a hash of it."
      secret={key}
      advice="Copy it now, to where the consumer finds it."
      command={`curl -H 'X-API-Key: ${key}' "$GATEWAY_URL/"`}
      commandTitle="To call with it"
      commandLabel="Copy the curl line"
      onClose={onClose}
    />
  );
}
