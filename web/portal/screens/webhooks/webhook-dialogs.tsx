import { useState } from 'react';
import { GraceField, USUAL_GRACE_SECONDS } from '../../../shared/ui/controls/grace-field.tsx';
import { MAX_GRACE_SECONDS } from '../../../shared/webhooks/webhook.ts';
import {
  deleteWebhook,
  rotateSecret,
  updateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from '../../api/events/webhooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';

interface Props<Answer> {
  readonly subject: Webhook;
  readonly onClose: () => void;
  readonly onDone: (answer: Answer) => void;
}

export function RotateSecretDialog({ subject, onClose, onDone }: Props<WebhookWithSecret>) {
  const [graceSeconds, setGraceSeconds] = useState(USUAL_GRACE_SECONDS);
  return (
    <FormDialog
      title="Rotate the secret"
      submit="Rotate"
      kind={graceSeconds === 0 ? 'danger' : 'primary'}
      action={() => rotateSecret(subject.id, graceSeconds)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        You get a new secret for verifying signatures. For a while, deliveries carry both signatures, so that you can
        switch without interruption.
      </p>
      <GraceField value={graceSeconds} maxSeconds={MAX_GRACE_SECONDS} onChange={setGraceSeconds} />
    </FormDialog>
  );
}

/** Disables a webhook that is enabled, and the other way round. */
export function StatusDialog({ subject, onClose, onDone }: Props<Webhook>) {
  const isEnabled = subject.status === 'enabled';
  return (
    <FormDialog
      title={isEnabled ? 'Disable the webhook' : 'Enable the webhook'}
      submit={isEnabled ? 'Disable' : 'Enable'}
      kind={isEnabled ? 'danger' : 'primary'}
      action={() => updateWebhook(subject.id, { status: isEnabled ? 'disabled' : 'enabled' })}
      onDone={onDone}
      onClose={onClose}
    >
      {isEnabled ? (
        <p>
          It stops receiving events. Undelivered events are sent when you enable it again. Events that happen while it
          is disabled are not sent later.
        </p>
      ) : (
        <p>Pending and new events are sent immediately. Its record of failures is cleared.</p>
      )}
    </FormDialog>
  );
}

export function DeleteWebhookDialog({ subject, onClose, onDone }: Props<unknown>) {
  return (
    <FormDialog
      title="Delete the webhook"
      submit="Delete permanently"
      kind="danger"
      action={() => deleteWebhook(subject.id)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        No more events are sent to <code>{subject.url}</code>, and its list of deliveries is deleted.{' '}
        <strong>This cannot be undone.</strong>
      </p>
    </FormDialog>
  );
}
