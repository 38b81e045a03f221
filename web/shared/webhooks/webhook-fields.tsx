import { TextField } from '../ui/controls/field.tsx';
import { TypePicker } from './type-picker.tsx';
import type { EventType, WebhookDraft } from './webhook.ts';

interface Props {
  readonly draft: WebhookDraft;
  /** Undefined until they are read. */
  readonly types: readonly EventType[] | undefined;
  readonly urlHint: string;
  readonly onChange: (draft: WebhookDraft) => void;
}

export function WebhookFields({ draft, types, urlHint, onChange }: Props) {
  return (
    <>
      <TextField
        label="URL"
        hint={urlHint}
        type="url"
        required
        maxLength={2000}
        pattern="https?://.+"
        placeholder="https://shop.example.com/hooks"
        value={draft.url}
        onChange={(url) => onChange({ ...draft, url })}
      />
      <TextField
        label="Description"
        hint="What it is for, such as “Shop backend”."
        optional
        maxLength={200}
        value={draft.description}
        onChange={(description) => onChange({ ...draft, description })}
      />
      <TypePicker types={types} value={draft.types} onChange={(chosen) => onChange({ ...draft, types: chosen })} />
    </>
  );
}

/** As it is sent. */
export function trimmed({ url, description, types }: WebhookDraft): WebhookDraft {
  return { url: url.trim(), description: description.trim(), types };
}

/** What is missing, in a sentence. */
export function needOf({ url, types }: WebhookDraft): string | false {
  if (url.trim() === '') return 'Enter a URL.';
  return types.length === 0 && 'Choose at least one event type.';
}

/** What of a webhook a draft changes: types that are no more, and that nobody touched, are not sent again. */
export function patchOf(webhook: WebhookDraft, draft: WebhookDraft): Partial<WebhookDraft> {
  const { url, description, types } = trimmed(draft);
  const isSame = types.length === webhook.types.length && types.every((type) => webhook.types.includes(type));
  return {
    ...(url === webhook.url ? {} : { url }),
    ...(description === webhook.description ? {} : { description }),
    ...(isSame ? {} : { types }),
  };
}
