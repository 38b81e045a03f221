import { SecretDialog } from '../ui/overlays/secret-dialog.tsx';

/** Shows the secret with which the receiving service verifies signatures. */
export function NewSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <SecretDialog
      title="Webhook secret"
      warning="If you lose it, rotate it."
      advice="Copy it now. The service that receives the events needs it to verify signatures."
      secret={secret}
      commandTitle="Make it available to your service"
      command={`export WEBHOOK_SECRET='${secret}'`}
      commandLabel="Copy the command"
      onClose={onClose}
    />
  );
}
