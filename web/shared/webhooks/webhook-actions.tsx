import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, CircleOff, PenLine, RefreshCw, Trash2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { MoreMenu } from '../ui/overlays/menu.tsx';
import { NewSecretDialog } from './lazy-dialogs.ts';
import type { Webhook, WebhookWithSecret } from './webhook.ts';

export interface WebhookDialogProps<Subject extends Webhook = Webhook> {
  readonly webhook: Subject;
  readonly onClose: () => void;
}

export interface RotateSecretProps {
  readonly onRotated: (webhook: WebhookWithSecret) => void;
}

export interface DeleteWebhookProps {
  /** Called after the webhook was deleted, to leave its page. */
  readonly onDeleted: () => Promise<void>;
}

interface Props<Subject extends Webhook> {
  readonly webhook: Subject;
  readonly ChangeDialog: ComponentType<WebhookDialogProps<Subject>>;
  readonly StatusDialog: ComponentType<WebhookDialogProps>;
  readonly RotateDialog: ComponentType<WebhookDialogProps & RotateSecretProps>;
  readonly DeleteDialog: ComponentType<WebhookDialogProps & DeleteWebhookProps>;
}

/** Buttons that change a webhook, with their dialogs. */
export function WebhookActions<Subject extends Webhook>(props: Props<Subject>) {
  const { webhook, ChangeDialog, StatusDialog, RotateDialog, DeleteDialog } = props;
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'change' | 'status' | 'rotate' | 'delete' | null>(null);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const isEnabled = webhook.status === 'enabled';
  const dialog = { webhook, onClose: () => setOpened(null) };
  const more = [
    { label: 'Rotate the secret…', icon: RefreshCw, onSelect: () => setOpened('rotate') },
    { label: 'Delete…', icon: Trash2, danger: true, onSelect: () => setOpened('delete') },
  ];
  return (
    <>
      <Button icon={PenLine} onClick={() => setOpened('change')}>
        Edit…
      </Button>
      <Button icon={isEnabled ? CircleOff : CircleCheck} onClick={() => setOpened('status')}>
        {isEnabled ? 'Disable…' : 'Enable…'}
      </Button>
      <MoreMenu label="More actions for this webhook" items={more} />
      {opened === 'change' && <ChangeDialog {...dialog} />}
      {opened === 'status' && <StatusDialog {...dialog} />}
      {opened === 'rotate' && <RotateDialog {...dialog} onRotated={setMade} />}
      {opened === 'delete' && <DeleteDialog {...dialog} onDeleted={() => navigate({ to: '/webhooks' })} />}
      {made !== null && <NewSecretDialog secret={made.secret} onClose={() => setMade(null)} />}
    </>
  );
}
