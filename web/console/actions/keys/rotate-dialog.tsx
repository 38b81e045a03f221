import { useState } from 'react';
import { type KeyGrace, KeyGraceField, USUAL_GRACE } from '../../../shared/ui/controls/grace-field.tsx';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { type KeyWithSecret, rotateKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import { formatLongDuration } from '../../../shared/format/time.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

/** Names both settings, because their values are in the gateway's configuration. */
const QUIET_END = 'has not been used for the time in rotation.quietFor, after rotation.maxGrace at the latest';

/** Replaces the secret of a key. `onRotated` gets the new secret. */
export function RotateDialog({
  subject,
  onClose,
  onRotated,
}: {
  readonly subject: Key;
  readonly onClose: () => void;
  readonly onRotated: (secret: KeyWithSecret) => void;
}) {
  const [grace, setGrace] = useState<KeyGrace>(USUAL_GRACE);
  const isImmediate = 'graceSeconds' in grace && grace.graceSeconds === 0;
  const action = {
    title: `Rotate “${subject.name}” of ${findOwnerName(subject)}`,
    submit: submitWords(grace),
    danger: isImmediate,
    effect: (
      <p>
        The new key has a new id and secret, and keeps the owner, plan, limits, counters and bans of the old one.{' '}
        {isImmediate
          ? 'Calls with the old secret get 401 immediately: the consumer cannot call until it uses the new one.'
          : 'The old secret works for a while, so that the consumer can switch.'}{' '}
        <strong>This cannot be undone.</strong>
      </p>
    ),
    fields: <KeyGraceField value={grace} quietEnd={QUIET_END} onChange={setGrace} />,
    change: ({ id }: Key, reason: string) => rotateKey(id, grace, reason),
    command: ({ id }: Key, reason: string) =>
      formatTollgateCommand(['keys', 'rotate', id], { ...createGraceOption(grace), reason }),
    done: 'Rotated',
    onDone: ([response]: readonly unknown[]) => onRotated(response as KeyWithSecret),
  };
  return <ActionDialog action={action} subjects={[subject]} nameOf={({ name }) => name} onClose={onClose} />;
}

function submitWords(grace: KeyGrace): string {
  if ('graceUntil' in grace) return 'Rotate, old secret valid while used';
  const { graceSeconds } = grace;
  if (graceSeconds === 0) return 'Rotate and reject the old secret';
  return `Rotate, old secret valid ${formatLongDuration(graceSeconds * 1000)}`;
}

function createGraceOption(grace: KeyGrace) {
  return 'graceUntil' in grace ? { 'grace-until': grace.graceUntil } : { 'grace-seconds': grace.graceSeconds };
}
