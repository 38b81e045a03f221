import { useNavigate } from '@tanstack/react-router';
import {
  Ban,
  CircleCheck,
  CircleOff,
  CircleSlash,
  Eraser,
  Layers,
  Lock,
  PenLine,
  RefreshCw,
  ShieldCheck,
  ShieldOff,
  UserX,
} from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { type MenuItem, MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import {
  BanDialog,
  DisableDialog,
  EditKeyDialog,
  EnableDialog,
  ExemptDialog,
  ForgetDialog,
  LiftDialog,
  MovePlanDialog,
  ResetDialog,
  RestrictDialog,
  RevokeDialog,
  RotateDialog,
  NewKeyDialog,
} from '../../actions/lazy-dialogs.ts';
import type { KeyVerb } from '../../actions/commands.ts';
import type { KeyWithSecret } from '../../api/key-changes.ts';
import type { Key, VersionedKey } from '../../api/keys.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { useSession } from '../../session/session-context.ts';

/**
 * Dialogs by verb. `move` and `rotate` are missing, because their dialogs have other properties, and only callers can
 * be forgotten.
 */
const DIALOGS = {
  ban: BanDialog,
  lift: LiftDialog,
  disable: DisableDialog,
  enable: EnableDialog,
  revoke: RevokeDialog,
  reset: ResetDialog,
  edit: EditKeyDialog,
  restrict: RestrictDialog,
  exempt: ExemptDialog,
} satisfies Record<Exclude<KeyVerb, 'move' | 'rotate' | 'forget'>, unknown>;

/** True for a known verb. The URL may contain any text. */
function hasDialog(verb: string | undefined): verb is keyof typeof DIALOGS {
  return verb !== undefined && Object.hasOwn(DIALOGS, verb);
}

/** Renders the buttons for the actions that are possible in the key's state. Viewers get none. */
export function KeyActions({ apiKey, banned }: { readonly apiKey: VersionedKey; readonly banned: boolean }) {
  const { canChange } = useSession();
  const { opened, open, close } = useDialogInUrl();
  const [secret, setSecret] = useState<KeyWithSecret | null>(null);
  const navigate = useNavigate();
  if (!canChange) return null;
  const showNewKey = () => {
    setSecret(null);
    if (secret !== null) void navigate({ to: '/keys/$id', params: { id: secret.id } });
  };
  const Opened = hasDialog(opened) ? DIALOGS[opened] : null;
  const isCaller = apiKey.kind === 'token';
  return (
    <>
      <Buttons apiKey={apiKey} banned={banned} onOpen={open} />
      {Opened !== null && <Opened apiKey={apiKey} onClose={close} />}
      {opened === 'move' && <MovePlanDialog keys={[apiKey]} onClose={close} />}
      {opened === 'forget' && isCaller && <ForgetDialog apiKey={apiKey} onClose={close} />}
      {opened === 'rotate' && !isCaller && <RotateDialog subject={apiKey} onClose={close} onRotated={setSecret} />}
      {secret !== null && <NewKeyDialog secret={secret} onClose={showNewKey} />}
    </>
  );
}

interface ButtonsProps {
  readonly apiKey: Key;
  readonly banned: boolean;
  readonly onOpen: (what: KeyVerb) => void;
}

function Buttons({ apiKey: { status, kind, rotatedTo, validation }, banned, onOpen }: ButtonsProps) {
  const isCaller = kind === 'token';
  if (status === 'revoked') {
    return isCaller ? (
      <Button icon={UserX} onClick={() => onOpen('forget')}>
        Forget…
      </Button>
    ) : null;
  }
  const newest = rotatedTo === null;
  const more: MenuItem[] = [
    ...(newest ? [{ label: 'Move to a plan…', icon: Layers, onSelect: () => onOpen('move') }] : []),
    ...(newest ? [{ label: 'Restrict…', icon: Lock, onSelect: () => onOpen('restrict') }] : []),
    ...(newest
      ? [
          {
            label: validation === null ? 'Exempt from refusals…' : 'End the exemption…',
            icon: validation === null ? ShieldOff : ShieldCheck,
            onSelect: () => onOpen('exempt'),
          },
        ]
      : []),
    ...(status === 'active'
      ? [{ label: 'Disable…', icon: CircleOff, danger: true, onSelect: () => onOpen('disable') }]
      : []),
    { label: 'Reset usage…', icon: Eraser, onSelect: () => onOpen('reset') },
    ...(banned ? [{ label: 'Replace the ban…', icon: Ban, onSelect: () => onOpen('ban') }] : []),
    { label: 'Revoke…', icon: CircleSlash, danger: true, onSelect: () => onOpen('revoke') },
    ...(isCaller ? [{ label: 'Forget…', icon: UserX, danger: true, onSelect: () => onOpen('forget') }] : []),
  ];
  return (
    <>
      <Button icon={PenLine} onClick={() => onOpen('edit')}>
        Edit…
      </Button>
      {newest && !isCaller && (
        <Button icon={RefreshCw} onClick={() => onOpen('rotate')}>
          Rotate…
        </Button>
      )}
      {banned ? (
        <Button icon={ShieldCheck} onClick={() => onOpen('lift')}>
          Lift the ban…
        </Button>
      ) : (
        <Button icon={Ban} onClick={() => onOpen('ban')}>
          Ban…
        </Button>
      )}
      {status === 'disabled' && (
        <Button icon={CircleCheck} onClick={() => onOpen('enable')}>
          Enable…
        </Button>
      )}
      <MoreMenu label="More actions for this key" items={more} />
    </>
  );
}
