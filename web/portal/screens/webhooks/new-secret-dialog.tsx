import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';

/** Shows the secret that a webhook's service verifies with. */
export function NewSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      title="Webhook secret"
      warning="Nobody can see it again here; it can be replaced."
      advice="Copy it now, to where your service reads it: it tells by it that what it gets comes from here."
      secret={secret}
      commandTitle="To verify with it"
      command={`export WEBHOOK_SECRET='${secret}'`}
      commandLabel="Copy the command"
      onClose={onClose}
    />
  );
}
