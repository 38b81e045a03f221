import { useState } from 'react';
import { GraceField, USUAL_GRACE_SECONDS } from '../ui/controls/grace-field.tsx';
import { deleteWebhook, rotateSecret, updateWebhook } from './webhook-changes.ts';
import type { Webhook } from './webhook.ts';

/**
 * Confirmation dialogs for changes to a webhook, as both sites need them. The console adds a reason, a command and
 * Undo.
 */

/** Disables an enabled webhook, or enables a disabled one. */
export function createStatusQuestion(isEnabled: boolean) {
  const [status, before] = isEnabled ? (['disabled', 'enabled'] as const) : (['enabled', 'disabled'] as const);
  return {
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
    change: ({ id }: Webhook, reason?: string) => updateWebhook(id, { status }, reason),
    undo: ({ id }: Webhook, reason?: string) => updateWebhook(id, { status: before }, reason),
  };
}

/** The longest grace period of a webhook secret that the APIs allow. */
const MAX_GRACE_SECONDS = 7 * 86_400;

/** Replaces the secret of a webhook. */
export function useRotationQuestion() {
  const [graceSeconds, setGraceSeconds] = useState(USUAL_GRACE_SECONDS);
  return {
    graceSeconds,
    title: 'Rotate the secret',
    submit: 'Rotate',
    danger: graceSeconds === 0,
    effect: (
      <p>
        For a while, deliveries carry both signatures, so that the service can switch without a gap.{' '}
        <strong>This cannot be undone.</strong>
      </p>
    ),
    fields: <GraceField value={graceSeconds} maxSeconds={MAX_GRACE_SECONDS} onChange={setGraceSeconds} />,
    change: ({ id }: Webhook, reason?: string) => rotateSecret(id, graceSeconds, reason),
  };
}

export function createDeletionQuestion(url: string) {
  return {
    title: 'Delete the webhook',
    submit: 'Delete permanently',
    danger: true,
    effect: (
      <p>
        No more events are sent to <code>{url}</code>, and its list of deliveries is deleted.{' '}
        <strong>This cannot be undone.</strong>
      </p>
    ),
    change: ({ id }: Webhook, reason?: string) => deleteWebhook(id, reason),
  };
}
