import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';

/** Shows the secret that a webhook's service verifies with, to the operator who puts it there. */
export function NewSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      title="The secret of the webhook"
      warning="Nobody can see it again; it can be replaced."
      advice="Copy it now, to where the service reads it: it tells by it that what it gets comes from this gateway."
      secret={secret}
      commandTitle="To verify with it"
      command={`export WEBHOOK_SECRET='${secret}'`}
      commandLabel="Copy the command"
      onClose={onClose}
    />
  );
}
