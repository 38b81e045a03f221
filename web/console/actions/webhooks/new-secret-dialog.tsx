import { SecretDialog } from '../../../shared/ui/overlays/secret-dialog.tsx';

/** Shows the secret that a webhook's service verifies with, to the operator who puts it there. */
export function NewSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      title="Webhook secret"
      warning="If you lose it, rotate it."
      advice="Copy it now to the service that receives the events. The service needs it to verify them."
      secret={secret}
      commandTitle="Make it available to your service"
      command={`export WEBHOOK_SECRET='${secret}'`}
      commandLabel="Copy the command"
      onClose={onClose}
    />
  );
}
