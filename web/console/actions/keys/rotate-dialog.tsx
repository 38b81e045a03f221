import { useState } from 'react';
import { GraceField, USUAL_GRACE_SECONDS } from '../../../shared/ui/controls/grace-field.tsx';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { type KeyWithSecret, rotateKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

/** Replaces the secret of a key; `onRotated` gets the new one. */
export function RotateDialog({
  subject,
  onClose,
  onRotated,
}: {
  readonly subject: Key;
  readonly onClose: () => void;
  readonly onRotated: (secret: KeyWithSecret) => void;
}) {
  const [graceSeconds, setGraceSeconds] = useState(USUAL_GRACE_SECONDS);
  const action = {
    title: 'Rotate the key',
    submit: 'Rotate',
    effect: (
      <p>
        The new key has a new id and secret, and keeps the owner, plan, limits, counters and bans of the old one. The
        old secret works for a while, so that the consumer can switch. <strong>This cannot be undone.</strong>
      </p>
    ),
    fields: <GraceField label="The old secret works for" value={graceSeconds} onChange={setGraceSeconds} />,
    change: ({ id }: Key, reason: string) => rotateKey(id, graceSeconds, reason),
    command: ({ id }: Key, reason: string) =>
      tollgateLine(['keys', 'rotate', id], { 'grace-seconds': graceSeconds, reason }),
    done: 'Rotated',
    onDone: ([answer]: readonly unknown[]) => onRotated(answer as KeyWithSecret),
  };
  return <ActionDialog action={action} subjects={[subject]} nameOf={({ name }) => name} onClose={onClose} />;
}
