import { useState } from 'react';
import { TextField } from '../ui/controls/field.tsx';
import { TypePicker } from './type-picker.tsx';
import { ALL_TYPES, type EventType, type WebhookDraft } from './webhook.ts';

const NEW_WEBHOOK: WebhookDraft = { url: '', description: '', types: [ALL_TYPES] };

interface Options {
  /** The webhook to edit. Undefined for a new one. */
  readonly webhook?: WebhookDraft;
  /** All event types. Undefined until they are loaded. */
  readonly types: readonly EventType[] | undefined;
  readonly urlHint: string;
}

/** Creates the fields of a form for a new or edited webhook, and keeps their values. */
export function useWebhookForm({ webhook = NEW_WEBHOOK, types, urlHint }: Options) {
  const [draft, setDraft] = useState<WebhookDraft>(webhook);
  const url = draft.url.trim();
  const description = draft.description.trim();
  const need = url === '' ? 'Enter a URL.' : draft.types.length === 0 && 'Choose at least one event type.';
  const fields = (
    <>
      <TextField
        label="URL"
        hint={urlHint}
        type="url"
        required
        maxLength={2000}
        pattern="https?://.+"
        invalidMessage="Enter an address that begins with http:// or https://."
        placeholder="https://shop.example.com/hooks"
        value={draft.url}
        onChange={(text) => setDraft({ ...draft, url: text })}
      />
      <TextField
        label="Description"
        hint="What it is for, such as “Shop backend”."
        optional
        maxLength={200}
        value={draft.description}
        onChange={(text) => setDraft({ ...draft, description: text })}
      />
      <TypePicker types={types} value={draft.types} onChange={(chosen) => setDraft({ ...draft, types: chosen })} />
    </>
  );
  const entered = { url, description, types: draft.types };
  return { fields, entered, changed: findChangedFields(webhook, entered), need };
}

/**
 * Finds the fields that the user changed. Types that no longer exist are not sent again unless the user changed the
 * list.
 */
function findChangedFields(webhook: WebhookDraft, { url, description, types }: WebhookDraft): Partial<WebhookDraft> {
  const isSame = types.length === webhook.types.length && types.every((type) => webhook.types.includes(type));
  return {
    ...(url === webhook.url ? {} : { url }),
    ...(description === webhook.description ? {} : { description }),
    ...(isSame ? {} : { types }),
  };
}
