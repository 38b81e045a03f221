import { useState } from 'react';
import { GraceField, USUAL_GRACE_SECONDS } from '../../../shared/ui/controls/grace-field.tsx';
import { MAX_GRACE_SECONDS, nameOf } from '../../../shared/webhooks/webhook.ts';
import {
  deleteWebhook,
  rotateSecret,
  updateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from '../../api/events/webhooks.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Disables a webhook that is enabled, and the other way round. */
export function WebhookStatusDialog({ webhook, onClose }: Props) {
  const isEnabled = webhook.status === 'enabled';
  const [status, before] = isEnabled ? (['disabled', 'enabled'] as const) : (['enabled', 'disabled'] as const);
  const action = {
    title: isEnabled ? 'Disable the webhook' : 'Enable the webhook',
    submit: isEnabled ? 'Disable' : 'Enable',
    danger: isEnabled,
    effect: isEnabled ? (
      <p>
        It receives no more events. Undelivered events are sent when it is enabled again; events that occur in the
        meantime are never sent.
      </p>
    ) : (
      <p>Pending and new events are sent immediately. The record of failures is cleared.</p>
    ),
    change: ({ id }: Webhook, reason: string) => updateWebhook(id, { status }, reason),
    command: ({ id }: Webhook, reason: string) =>
      tollgateLine(['webhooks', isEnabled ? 'disable' : 'enable', id], { reason }),
    done: isEnabled ? 'Disabled' : 'Enabled',
    undo: ({ id }: Webhook, reason: string) => updateWebhook(id, { status: before }, reason),
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={nameOf} onClose={onClose} />;
}

/** Replaces the secret of a webhook; `onRotated` gets the new one. */
export function RotateSecretDialog({
  webhook,
  onClose,
  onRotated,
}: Props & { readonly onRotated: (webhook: WebhookWithSecret) => void }) {
  const [graceSeconds, setGraceSeconds] = useState(USUAL_GRACE_SECONDS);
  const action = {
    title: 'Rotate the secret',
    submit: 'Rotate',
    effect: (
      <p>
        For a while, deliveries carry both signatures, so that the service can switch without a gap.{' '}
        <strong>This cannot be undone.</strong>
      </p>
    ),
    fields: <GraceField value={graceSeconds} maxSeconds={MAX_GRACE_SECONDS} onChange={setGraceSeconds} />,
    change: ({ id }: Webhook, reason: string) => rotateSecret(id, graceSeconds, reason),
    command: ({ id }: Webhook, reason: string) =>
      tollgateLine(['webhooks', 'rotate-secret', id], { 'grace-seconds': graceSeconds, reason }),
    done: 'Secret replaced',
    onDone: ([answer]: readonly unknown[]) => onRotated(answer as WebhookWithSecret),
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={nameOf} onClose={onClose} />;
}

export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: Props & { readonly onDeleted: () => void }) {
  const action = {
    title: 'Delete the webhook',
    submit: 'Delete permanently',
    danger: true,
    effect: (
      <p>
        No more events are sent to <code>{webhook.url}</code>, and its list of deliveries is deleted.{' '}
        <strong>This cannot be undone.</strong>
      </p>
    ),
    change: ({ id }: Webhook, reason: string) => deleteWebhook(id, reason),
    command: ({ id }: Webhook, reason: string) => tollgateLine(['webhooks', 'delete', id], { reason }),
    done: 'Webhook deleted',
    onDone: onDeleted,
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={nameOf} onClose={onClose} />;
}
