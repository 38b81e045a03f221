import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Change } from '../../../shared/transport/change.ts';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
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
import type { Webhook, WebhookDraft, WebhookWithSecret } from '../../../shared/webhooks/webhook.ts';
import { eventTypesQuery } from '../../api/events/webhooks.ts';
import { sendRequest } from '../../api/transport/client.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';

const URL_HINT = 'The URL that receives the events. It must use HTTPS and be reachable from the internet.';

interface Props<Subject, Content> {
  readonly question: {
    readonly title: string;
    readonly submit: string;
    readonly danger?: boolean;
    readonly wide?: boolean;
    readonly ready?: boolean;
    readonly effect?: ReactNode;
    readonly fields?: ReactNode;
    readonly change: (subject: Subject) => Change<Content>;
  };
  readonly subject: Subject;
  /** The message after the change. By default, there is none. */
  readonly done?: string;
  readonly onDone?: (content: Content) => unknown;
  readonly onClose: () => void;
}

/** A dialog that asks before a change, makes the change, and reloads the webhooks. */
function QuestionDialog<Subject, Content>({ question, subject, done, onDone, onClose }: Props<Subject, Content>) {
  const { title, submit, danger = false, wide, ready, effect, fields, change } = question;
  const queries = useQueryClient();
  const finish = async (content: Content) => {
    onClose();
    // Leave the page of a deleted webhook before reloading, because the webhook no longer exists.
    await onDone?.(content);
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
    if (done !== undefined) toast({ message: done });
  };
  return (
    <FormDialog
      title={title}
      submit={submit}
      kind={danger ? 'danger' : 'primary'}
      wide={wide}
      ready={ready}
      action={() => sendRequest(change(subject))}
      onDone={(content) => void finish(content)}
      onClose={onClose}
    >
      {effect}
      {fields}
    </FormDialog>
  );
}

export function CreateWebhookDialog({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}) {
  const types = useQuery(eventTypesQuery).data;
  const { fields, entered, need } = useWebhookForm({ types, urlHint: URL_HINT });
  const question = {
    title: 'Add a webhook',
    submit: 'Add the webhook',
    wide: true,
    ready: need === false,
    fields,
    change: (draft: WebhookDraft) => createWebhook(draft),
  };
  return <QuestionDialog question={question} subject={entered} onDone={onCreated} onClose={onClose} />;
}

export function ChangeWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const types = useQuery(eventTypesQuery).data;
  const { fields, changed, need } = useWebhookForm({ webhook, types, urlHint: URL_HINT });
  const question = {
    title: 'Edit the webhook',
    submit: 'Save',
    wide: true,
    ready: need === false,
    fields,
    change: ({ id }: Webhook) => updateWebhook(id, changed),
  };
  return <QuestionDialog question={question} subject={webhook} done="Webhook saved" onClose={onClose} />;
}

export function StatusDialog({ webhook, onClose }: WebhookDialogProps) {
  const isEnabled = webhook.status === 'enabled';
  const done = isEnabled ? 'Webhook disabled' : 'Webhook enabled';
  return <QuestionDialog question={createStatusQuestion(isEnabled)} subject={webhook} done={done} onClose={onClose} />;
}

export function RotateSecretDialog({ webhook, onClose, onRotated }: WebhookDialogProps & RotateSecretProps) {
  return <QuestionDialog question={useRotationQuestion()} subject={webhook} onDone={onRotated} onClose={onClose} />;
}

export function DeleteWebhookDialog({ webhook, onClose, onDeleted }: WebhookDialogProps & DeleteWebhookProps) {
  return (
    <QuestionDialog
      question={createDeletionQuestion(webhook.url)}
      subject={webhook}
      done="Webhook deleted"
      onDone={onDeleted}
      onClose={onClose}
    />
  );
}
