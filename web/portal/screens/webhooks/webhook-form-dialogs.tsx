import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { needOf, patchOf, trimmed, WebhookFields } from '../../../shared/webhooks/webhook-fields.tsx';
import { ALL_TYPES, type WebhookDraft } from '../../../shared/webhooks/webhook.ts';
import {
  createWebhook,
  eventTypesQuery,
  updateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from '../../api/events/webhooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';

interface Props<Answer> {
  readonly onClose: () => void;
  readonly onDone: (answer: Answer) => void;
}

const URL_HINT = 'The URL that receives the events. It must use HTTPS and be reachable from the internet.';

export function CreateWebhookDialog({ onClose, onDone }: Props<WebhookWithSecret>) {
  const types = useQuery(eventTypesQuery);
  const [draft, setDraft] = useState<WebhookDraft>({ url: '', description: '', types: [ALL_TYPES] });
  return (
    <FormDialog
      title="Add a webhook"
      submit="Add the webhook"
      wide
      ready={needOf(draft) === false}
      action={() => createWebhook(trimmed(draft))}
      onDone={onDone}
      onClose={onClose}
    >
      <WebhookFields draft={draft} types={types.data} urlHint={URL_HINT} onChange={setDraft} />
    </FormDialog>
  );
}

export function ChangeWebhookDialog({ subject, onClose, onDone }: Props<Webhook> & { readonly subject: Webhook }) {
  const types = useQuery(eventTypesQuery);
  const [draft, setDraft] = useState<WebhookDraft>(subject);
  return (
    <FormDialog
      title="Edit the webhook"
      submit="Save"
      wide
      ready={needOf(draft) === false}
      action={() => updateWebhook(subject.id, patchOf(subject, draft))}
      onDone={onDone}
      onClose={onClose}
    >
      <WebhookFields draft={draft} types={types.data} urlHint={URL_HINT} onChange={setDraft} />
    </FormDialog>
  );
}
