import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, CircleOff, PenLine, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import type { Webhook, WebhookWithSecret } from '../../api/events/webhooks.ts';
import { useChanged } from './deliveries.tsx';
import {
  ChangeWebhookDialog,
  DeleteWebhookDialog,
  NewSecretDialog,
  RotateSecretDialog,
  StatusDialog,
} from './lazy-dialogs.ts';

type Asked = 'change' | 'status' | 'rotate' | 'delete' | null;

/** What can be done with a webhook in its state. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const isEnabled = webhook.status === 'enabled';
  const [asked, setAsked] = useState<Asked>(null);
  const more = [
    { label: 'Rotate the secret…', icon: RotateCw, onSelect: () => setAsked('rotate') },
    { label: 'Delete…', icon: Trash2, danger: true, onSelect: () => setAsked('delete') },
  ];
  return (
    <>
      <Button icon={PenLine} onClick={() => setAsked('change')}>
        Edit…
      </Button>
      <Button icon={isEnabled ? CircleOff : CircleCheck} onClick={() => setAsked('status')}>
        {isEnabled ? 'Disable…' : 'Enable…'}
      </Button>
      <MoreMenu label="More actions for this webhook" items={more} />
      <Asking asked={asked} webhook={webhook} onClose={() => setAsked(null)} />
    </>
  );
}

interface AskingProps {
  readonly asked: Asked;
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function Asking({ asked, webhook, onClose }: AskingProps) {
  const changed = useChanged();
  const navigate = useNavigate();
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const done = (message: string) => {
    onClose();
    changed();
    toast({ message });
  };
  const rotated = (withSecret: WebhookWithSecret) => {
    onClose();
    changed();
    setMade(withSecret);
  };
  const deleted = async () => {
    toast({ message: 'Webhook deleted' });
    // Left first: there is nothing more to read of it.
    await navigate({ to: '/webhooks' });
    changed();
  };
  const asking = { subject: webhook, onClose };
  return (
    <>
      {asked === 'change' && <ChangeWebhookDialog {...asking} onDone={() => done('Webhook saved')} />}
      {asked === 'status' && <StatusDialog {...asking} onDone={({ status }) => done(`Webhook ${status}`)} />}
      {asked === 'rotate' && <RotateSecretDialog {...asking} onDone={rotated} />}
      {asked === 'delete' && <DeleteWebhookDialog {...asking} onDone={() => void deleted()} />}
      {made !== null && <NewSecretDialog secret={made.secret} onClose={() => setMade(null)} />}
    </>
  );
}
