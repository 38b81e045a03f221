import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { needOf, patchOf, trimmed, WebhookFields } from '../../../shared/webhooks/webhook-fields.tsx';
import { ALL_TYPES, nameOf, type WebhookDraft } from '../../../shared/webhooks/webhook.ts';
import { eventTypesQuery, type EventType } from '../../api/events/events.ts';
import { createWebhook, updateWebhook, type Webhook, type WebhookWithSecret } from '../../api/events/webhooks.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { NOTHING_CHANGED } from '../dialog/needs.ts';

const URL_HINT =
  'The URL that receives the events. It must use HTTPS and a public address, unless events.allowPrivate in the configuration allows others.';

/** A webhook of the operators, who receive all events. */
export function CreateWebhookDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}) {
  const types = useQuery(eventTypesQuery).data;
  const [draft, setDraft] = useState<WebhookDraft>({ url: '', description: '', types: [ALL_TYPES] });
  const action = {
    title: 'Create a webhook',
    submit: 'Create the webhook',
    wide: true,
    effect: (
      <p>It belongs to the operators and can receive every event. The secret is shown only once, in the next step.</p>
    ),
    fields: <WebhookFields draft={draft} types={types} urlHint={URL_HINT} onChange={setDraft} />,
    needs: [needOf(draft)],
    reasonOptional: true,
    change: (subject: WebhookDraft, reason: string) => createWebhook(trimmed(subject), reason),
    command: (subject: WebhookDraft, reason: string) => {
      const { url, description, types: chosen } = trimmed(subject);
      const words = chosen.includes(ALL_TYPES) ? [] : ['--types', ...chosen];
      return tollgateLine(['webhooks', 'create', ...words], { url, description, reason });
    },
    done: 'Webhook created',
    onDone: ([answer]: readonly unknown[]) => onCreated(answer as WebhookWithSecret),
  };
  return <ActionDialog action={action} subjects={[draft]} nameOf={nameOf} onClose={onClose} />;
}

export function ChangeWebhookDialog({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const types = useQuery(eventTypesQuery).data;
  const [draft, setDraft] = useState<WebhookDraft>(webhook);
  const patch = patchOf(webhook, draft);
  const action = {
    title: 'Edit the webhook',
    submit: 'Save',
    wide: true,
    effect: <p>Takes effect with the next attempt, including for events not yet delivered.</p>,
    fields: <WebhookFields draft={draft} types={typesFor(webhook, types)} urlHint={URL_HINT} onChange={setDraft} />,
    needs: [needOf(draft), Object.keys(patch).length === 0 && NOTHING_CHANGED],
    change: ({ id }: Webhook, reason: string) => updateWebhook(id, patch, reason),
    done: 'Webhook saved',
  };
  return <ActionDialog action={action} subjects={[webhook]} nameOf={nameOf} onClose={onClose} />;
}

/** Consumers do not receive events for operators. */
function typesFor({ accountId }: Webhook, types: readonly EventType[] | undefined): readonly EventType[] | undefined {
  return accountId === null ? types : types?.filter(({ audience }) => audience !== 'operators');
}
