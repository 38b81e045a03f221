import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, CircleOff, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import {
  ChangeWebhookDialog,
  DeleteWebhookDialog,
  NewSecretDialog,
  RotateSecretDialog,
  WebhookStatusDialog,
} from '../../actions/lazy-dialogs.ts';
import type { Webhook, WebhookWithSecret } from '../../api/events/webhooks.ts';
import { useSession } from '../../session/session-context.ts';

type What = 'change' | 'status' | 'rotate' | 'delete' | null;

/** What can be done with a webhook in its state; nothing for viewers. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const { canChange } = useSession();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<What>(null);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  if (!canChange) return null;
  const isEnabled = webhook.status === 'enabled';
  const close = () => setOpened(null);
  const of = { webhook, onClose: close };
  const more = [
    { label: 'Rotate the secret…', icon: RefreshCw, onSelect: () => setOpened('rotate') },
    { label: 'Delete…', icon: Trash2, danger: true, onSelect: () => setOpened('delete') },
  ];
  return (
    <>
      <Button icon={Pencil} onClick={() => setOpened('change')}>
        Edit…
      </Button>
      <Button icon={isEnabled ? CircleOff : CircleCheck} onClick={() => setOpened('status')}>
        {isEnabled ? 'Disable…' : 'Enable…'}
      </Button>
      <MoreMenu label="More actions for this webhook" items={more} />
      {opened === 'change' && <ChangeWebhookDialog {...of} />}
      {opened === 'status' && <WebhookStatusDialog {...of} />}
      {opened === 'rotate' && <RotateSecretDialog {...of} onRotated={setMade} />}
      {opened === 'delete' && <DeleteWebhookDialog {...of} onDeleted={() => void navigate({ to: '/webhooks' })} />}
      {made !== null && <NewSecretDialog secret={made.secret} onClose={() => setMade(null)} />}
    </>
  );
}
