import { useState } from 'react';
import { spokenDuration } from '../../../shared/format/time.ts';
import { plural } from '../../../shared/format/number.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { banKey, liftBan, resetUsage, revokeKey, setStatus } from '../../api/key-changes.ts';
import { ACCOUNT_PREFIX, type Key } from '../../api/keys.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { BanLengthField } from './ban-length-field.tsx';

export interface KeyDialogProps {
  readonly keys: readonly Key[];
  readonly onClose: () => void;
}

const nameOf = ({ name }: Key) => name;

export function BanDialog({ keys, onClose }: KeyDialogProps) {
  const [seconds, setSeconds] = useState(3600);
  const action = {
    title: `Ban ${called(keys)}`,
    submit: `Ban for ${spokenDuration(seconds * 1000)}`,
    danger: true,
    effect: (
      <p>
        From the next request, {calls(keys)} get <code>403 key_banned</code> on every gateway. {sharing(keys)}, so they
        are banned too. This replaces any active ban.
      </p>
    ),
    fields: <BanLengthField seconds={seconds} onChange={setSeconds} />,
    change: ({ id }: Key, reason: string) => banKey(id, seconds, reason),
    command: ({ id }: Key, reason: string) => tollgateLine(['bans', 'add', id], { seconds, reason }),
    done: 'Banned',
    undo: ({ id }: Key, reason: string) => liftBan(id, reason),
    undone: 'Ban lifted',
  };
  return <ActionDialog action={action} subjects={keys} nameOf={nameOf} onClose={onClose} />;
}

export function LiftDialog({ keys, onClose }: KeyDialogProps) {
  const action = {
    title: `Lift the ban on ${called(keys)}`,
    submit: 'Lift the ban',
    effect: (
      <p>
        From the next request, the limits of the plan apply again to {calls(keys)}. The strikes are cleared.{' '}
        {sharing(keys)}, so the ban ends for them too.
      </p>
    ),
    change: ({ id }: Key, reason: string) => liftBan(id, reason),
    command: ({ id }: Key, reason: string) => tollgateLine(['bans', 'lift', id], { reason }),
    done: 'Ban lifted',
  };
  return <ActionDialog action={action} subjects={keys} nameOf={nameOf} onClose={onClose} />;
}

export function DisableDialog({ keys, onClose }: KeyDialogProps) {
  const action = {
    title: `Disable ${called(keys)}`,
    submit: `Disable ${plural(keys.length, 'key')}`,
    danger: true,
    effect: (
      <p>
        Within a second, {calls(keys)} get <code>401 key_revoked</code> until{' '}
        {keys.length === 1 ? 'the key is' : 'they are'} enabled again. {replaced(keys)} are disabled too.
      </p>
    ),
    change: ({ id }: Key, reason: string) => setStatus(id, 'disabled', reason),
    command: ({ id }: Key, reason: string) => tollgateLine(['keys', 'disable', id], { reason }),
    done: 'Disabled',
    // What was disabled before must not come back.
    undo: keys.every(({ status }) => status === 'active')
      ? ({ id }: Key, reason: string) => setStatus(id, 'active', reason)
      : undefined,
    undone: 'Enabled again. Replaced keys stay disabled.',
  };
  return <ActionDialog action={action} subjects={keys} nameOf={nameOf} onClose={onClose} />;
}

export function EnableDialog({ keys, onClose }: KeyDialogProps) {
  const action = {
    title: `Enable ${called(keys)}`,
    submit: `Enable ${plural(keys.length, 'key')}`,
    effect: <p>Within a second, {calls(keys)} are served again.</p>,
    change: ({ id }: Key, reason: string) => setStatus(id, 'active', reason),
    command: ({ id }: Key, reason: string) => tollgateLine(['keys', 'enable', id], { reason }),
    done: 'Enabled',
    undo: ({ id }: Key, reason: string) => setStatus(id, 'disabled', reason),
  };
  return <ActionDialog action={action} subjects={keys} nameOf={nameOf} onClose={onClose} />;
}

export function RevokeDialog({ keys, onClose }: KeyDialogProps) {
  const action = {
    title: `Revoke ${called(keys)}`,
    submit: 'Revoke permanently',
    danger: true,
    effect: (
      <p>
        Within a second, {calls(keys)} get <code>401 key_revoked</code>. {replaced(keys)} are revoked too.{' '}
        <strong>This cannot be undone:</strong> the consumer will need a new key. To block calls only temporarily,
        disable instead.
      </p>
    ),
    change: ({ id }: Key, reason: string) => revokeKey(id, reason),
    command: ({ id }: Key, reason: string) => tollgateLine(['keys', 'revoke', id], { reason }),
    done: 'Revoked',
  };
  return <ActionDialog action={action} subjects={keys} nameOf={nameOf} onClose={onClose} />;
}

export function ResetDialog({ keys, onClose }: KeyDialogProps) {
  const action = {
    title: `Reset the usage of ${called(keys)}`,
    submit: 'Reset usage',
    effect: (
      <p>
        Every window starts over at 0, and the strikes are cleared. An active ban stays in effect. {sharing(keys)}.{' '}
        <strong>This cannot be undone.</strong>
      </p>
    ),
    change: ({ id }: Key, reason: string) => resetUsage(id, reason),
    command: ({ id }: Key, reason: string) => tollgateLine(['usage', 'reset', id], { reason }),
    done: 'Usage reset',
  };
  return <ActionDialog action={action} subjects={keys} nameOf={nameOf} onClose={onClose} />;
}

/** Which other keys a change to the quota affects. */
function sharing(keys: readonly Key[]): string {
  const [first] = keys;
  if (keys.length !== 1 || first === undefined) return 'Keys of one account or rotation chain share a quota';
  return first.quotaId.startsWith(ACCOUNT_PREFIX)
    ? 'All keys of its account share its quota'
    : 'Other keys of its rotation chain share its quota';
}

function replaced(keys: readonly Key[]): string {
  return keys.length === 1 ? 'Keys that it replaced' : 'Keys that they replaced';
}

function called(keys: readonly Key[]): string {
  const [first] = keys;
  return keys.length === 1 && first !== undefined ? `“${shortened(first.name)}”` : plural(keys.length, 'key');
}

function calls(keys: readonly Key[]): string {
  return keys.length === 1 ? 'calls with this key' : `calls with these ${keys.length} keys`;
}

function shortened(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 39)}…`;
}
