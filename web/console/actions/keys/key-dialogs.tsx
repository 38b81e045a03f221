import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatLongDuration } from '../../../shared/format/time.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { banKey, liftBan, resetUsage, revokeKey, setStatus } from '../../api/key-changes.ts';
import { ACCOUNT_PREFIX, affectedKeysQuery, type Key, usageQuery } from '../../api/keys.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { BanLengthField } from './ban-length-field.tsx';
import { describeKey } from './describe-key.ts';
import { KeyUse } from './key-use.tsx';
import { trimMessage, MessageField, REASON_HINT } from './message-field.tsx';
import { STRIKES } from './strikes.ts';

export interface KeyDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

const nameOf = ({ name }: Key) => name;

export function BanDialog({ apiKey, onClose }: KeyDialogProps) {
  const [seconds, setSeconds] = useState(3600);
  const [text, setText] = useState('');
  const message = trimMessage(text);
  const usage = useQuery(usageQuery(apiKey.id)).data;
  const action = {
    title: `Ban ${describeKey(apiKey)}`,
    submit: `Ban for ${formatLongDuration(seconds * 1000)}`,
    danger: true,
    effect: (
      <p>
        From the next request, calls with this key get <code>403 key_banned</code> on every gateway.
        {isShared(apiKey) && ` ${sharing(apiKey)}, so they are banned too.`}
        {usage?.ban != null && ' This replaces the active ban.'}
      </p>
    ),
    fields: (
      <>
        <KeyUse apiKey={apiKey} affected={{ quotaId: apiKey.quotaId }} others="of its quota" />
        <BanLengthField seconds={seconds} onChange={setSeconds} />
      </>
    ),
    reasonHint: REASON_HINT,
    fieldsAfterReason: <MessageField message={text} onChange={setText} />,
    change: ({ id }: Key, reason: string) => banKey(id, seconds, { reason, message }),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['bans', 'add', id], { seconds, reason, message }),
    done: 'Banned',
    // No undo if the key is already banned: lifting the new ban would not restore the one that it replaced.
    undo: usage?.ban === null ? ({ id }: Key, reason: string) => liftBan(id, { reason }) : undefined,
    undone: (name: string) => `Ban lifted: ${name}. The strikes are cleared.`,
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={nameOf} onClose={onClose} />;
}

export function LiftDialog({ apiKey, onClose }: KeyDialogProps) {
  const [text, setText] = useState('');
  const message = trimMessage(text);
  const action = {
    title: `Lift the ban on ${describeKey(apiKey)}`,
    submit: 'Lift the ban',
    effect: (
      <p>
        From the next request, the limits of the plan apply again to calls with this key. {STRIKES} are cleared.
        {isShared(apiKey) && ` ${sharing(apiKey)}, so the ban ends for them too.`}
      </p>
    ),
    reasonHint: REASON_HINT,
    fieldsAfterReason: <MessageField message={text} onChange={setText} />,
    change: ({ id }: Key, reason: string) => liftBan(id, { reason, message }),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['bans', 'lift', id], { reason, message }),
    done: 'Ban lifted',
    // No undo: the same ban cannot be restored, and the strikes are gone.
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={nameOf} onClose={onClose} />;
}

export function DisableDialog({ apiKey, onClose }: KeyDialogProps) {
  const replaced = useReplaced(apiKey);
  const action = {
    title: `Disable ${describeKey(apiKey)}`,
    submit: 'Disable the key',
    danger: true,
    effect: (
      <p>
        Within a second, calls with this key get <code>401 key_revoked</code> until the key is enabled again.
        {replacedToo(replaced, 'disabled')}
      </p>
    ),
    fields: <KeyUse apiKey={apiKey} affected={{ replacedBy: apiKey.id }} others="that it replaced" />,
    change: ({ id }: Key, reason: string) => setStatus(id, 'disabled', reason),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['keys', 'disable', id], { reason }),
    done: 'Disabled',
    // Undo only if the key was active: one that was disabled before stays disabled.
    undo: apiKey.status === 'active' ? ({ id }: Key, reason: string) => setStatus(id, 'active', reason) : undefined,
    undone: (name: string) => `Enabled again: ${name}.${replaced > 0 ? ' Replaced keys stay disabled.' : ''}`,
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={nameOf} onClose={onClose} />;
}

export function EnableDialog({ apiKey, onClose }: KeyDialogProps) {
  const action = {
    title: `Enable ${describeKey(apiKey)}`,
    submit: 'Enable the key',
    effect: <p>Within a second, calls with this key are served again.</p>,
    change: ({ id }: Key, reason: string) => setStatus(id, 'active', reason),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['keys', 'enable', id], { reason }),
    done: 'Enabled',
    undo: ({ id }: Key, reason: string) => setStatus(id, 'disabled', reason),
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={nameOf} onClose={onClose} />;
}

export function RevokeDialog({ apiKey, onClose }: KeyDialogProps) {
  const replaced = useReplaced(apiKey);
  const action = {
    title: `Revoke ${describeKey(apiKey)}`,
    submit: 'Revoke permanently',
    danger: true,
    effect: (
      <p>
        Within a second, calls with this key get <code>401 key_revoked</code>.{replacedToo(replaced, 'revoked')}{' '}
        <strong>This cannot be undone{loss(apiKey)}.</strong>{' '}
        {apiKey.rotatedTo !== null && 'The key that replaced it goes on working. '}To block calls only temporarily,
        disable it instead.
      </p>
    ),
    fields: <KeyUse apiKey={apiKey} affected={{ replacedBy: apiKey.id }} others="that it replaced" />,
    change: ({ id }: Key, reason: string) => revokeKey(id, reason),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['keys', 'revoke', id], { reason }),
    done: 'Revoked',
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={nameOf} onClose={onClose} />;
}

export function ResetDialog({ apiKey, onClose }: KeyDialogProps) {
  const action = {
    title: `Reset the usage of ${describeKey(apiKey)}`,
    submit: 'Reset usage',
    effect: (
      <p>
        Every window starts over at 0. {STRIKES} are cleared. An active ban stays in effect.
        {isShared(apiKey) && ` ${sharing(apiKey)}.`} <strong>This cannot be undone.</strong>
      </p>
    ),
    change: ({ id }: Key, reason: string) => resetUsage(id, reason),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['usage', 'reset', id], { reason }),
    done: 'Usage reset',
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={nameOf} onClose={onClose} />;
}

/** Completes “This cannot be undone” with what the consumer loses when the key is revoked. */
function loss({ rotatedTo, kind }: Key): string {
  if (kind === 'token') return ': none of the caller’s access tokens is accepted again';
  return rotatedTo === null ? ': the consumer will need a new key' : '';
}

/** Counts the replaced keys that still work. */
function useReplaced({ id }: Key): number {
  return useQuery(affectedKeysQuery({ replacedBy: id })).data?.length ?? 0;
}

function replacedToo(replaced: number, done: string): string {
  if (replaced === 0) return '';
  return ` ${replaced === 1 ? 'The key that it replaced is' : `The ${replaced} keys that it replaced are`} ${done} too.`;
}

/**
 * True if other keys use the same quota: those of the same account or rotation chain. A key of neither has a quota of
 * its own.
 */
function isShared({ id, quotaId, rotatedTo }: Key): boolean {
  return quotaId !== id || rotatedTo !== null;
}

/** Names the other keys that a change to the quota affects. */
function sharing({ quotaId }: Key): string {
  return quotaId.startsWith(ACCOUNT_PREFIX)
    ? 'All keys of its account share its quota'
    : 'Other keys of its rotation chain share its quota';
}
