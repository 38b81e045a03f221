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
      title="New key"
      warning="The gateway stores only a hash of it."
      secret={key}
      advice="Copy it now, and give it to the consumer."
      command={`curl -H 'X-API-Key: ${key}' "$GATEWAY_URL/"`}
      commandTitle="Call the API with it"
      commandLabel="Copy the curl line"
      onClose={onClose}
    />
  );
}
