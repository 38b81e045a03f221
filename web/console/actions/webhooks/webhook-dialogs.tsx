import { useQuery } from '@tanstack/react-query';
import type {
  DeleteWebhookProps,
  RotateSecretProps,
  WebhookDialogProps,
} from '../../../shared/webhooks/webhook-actions.tsx';
import { createWebhook, updateWebhook } from '../../../shared/webhooks/webhook-changes.ts';
import { useWebhookForm } from '../../../shared/webhooks/webhook-form.tsx';
import {
  createDeletionQuestion,
  createStatusQuestion,
  useRotationQuestion,
} from '../../../shared/webhooks/webhook-questions.tsx';
import {
  ALL_TYPES,
  formatWebhookName,
  type WebhookDraft,
  type WebhookWithSecret,
} from '../../../shared/webhooks/webhook.ts';
import { eventTypesQuery } from '../../api/events/events.ts';
import type { Webhook } from '../../api/events/webhooks.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { NOTHING_CHANGED } from '../dialog/needs.ts';

const URL_HINT =
  'The URL that receives the events. It must use HTTPS and a public address, unless events.allowPrivate in the configuration allows others.';

/** Creates a webhook of the operators, which receives all events. */
export function CreateWebhookDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}) {
  const types = useQuery(eventTypesQuery).data;
  const { fields, entered, need } = useWebhookForm({ types, urlHint: URL_HINT });
  const action = {
    title: 'Create a webhook',
    submit: 'Create the webhook',
    wide: true,
    effect: (
      <p>It belongs to the operators and can receive every event. The secret is shown only once, in the next step.</p>
    ),
    fields,
    needs: [need],
    reasonOptional: true,
    change: createWebhook,
    command: ({ url, description, types: chosen }: WebhookDraft, reason: string) => {
      const words = chosen.includes(ALL_TYPES) ? [] : ['--types', ...chosen];
      return formatTollgateCommand(['webhooks', 'create', ...words], { url, description, reason });
    },
    done: 'Webhook created',
    onDone: ([response]: readonly unknown[]) => onCreated(response as WebhookWithSecret),
  };
  return <ActionDialog action={action} subjects={[entered]} nameOf={formatWebhookName} onClose={onClose} />;
}

export function ChangeWebhookDialog({ webhook, onClose }: WebhookDialogProps<Webhook>) {
  const all = useQuery(eventTypesQuery).data;
  // Some events are only for operators, so a consumer's webhook cannot subscribe to them.
  const types = webhook.accountId === null ? all : all?.filter(({ audience }) => audience !== 'operators');
  const { fields, changed, need } = useWebhookForm({ webhook, types, urlHint: URL_HINT });
  const action = {
    title: 'Edit the webhook',
    submit: 'Save',
    wide: true,
    effect: <p>Takes effect with the next attempt, including for events not yet delivered.</p>,
    fields,
    needs: [need, Object.keys(changed).length === 0 && NOTHING_CHANGED],
    change: ({ id }: Webhook, reason: string) => updateWebhook(id, changed, reason),
    done: 'Webhook saved',
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={formatWebhookName} onClose={onClose} />;
}

export function WebhookStatusDialog({ webhook, onClose }: WebhookDialogProps) {
  const isEnabled = webhook.status === 'enabled';
  const action = {
    ...createStatusQuestion(isEnabled),
    command: ({ id }: typeof webhook, reason: string) =>
      formatTollgateCommand(['webhooks', isEnabled ? 'disable' : 'enable', id], { reason }),
    done: isEnabled ? 'Disabled' : 'Enabled',
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={formatWebhookName} onClose={onClose} />;
}

export function RotateSecretDialog({ webhook, onClose, onRotated }: WebhookDialogProps & RotateSecretProps) {
  const { graceSeconds, ...question } = useRotationQuestion();
  const action = {
    ...question,
    command: ({ id }: typeof webhook, reason: string) =>
      formatTollgateCommand(['webhooks', 'rotate-secret', id], { 'grace-seconds': graceSeconds, reason }),
    done: 'Secret replaced',
    onDone: ([response]: readonly unknown[]) => onRotated(response as WebhookWithSecret),
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={formatWebhookName} onClose={onClose} />;
}

export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: WebhookDialogProps & DeleteWebhookProps) {
  const action = {
    ...createDeletionQuestion(webhook.url),
    command: ({ id }: typeof webhook, reason: string) => formatTollgateCommand(['webhooks', 'delete', id], { reason }),
    done: 'Webhook deleted',
    onDone: () => void onDeleted(),
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={formatWebhookName} onClose={onClose} />;
}
