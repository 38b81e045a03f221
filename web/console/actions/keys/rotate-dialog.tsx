import { useState } from 'react';
import { spokenDuration } from '../../../shared/format/time.ts';
import { SelectField } from '../../../shared/ui/controls/field.tsx';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { type KeyWithSecret, rotateKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

const GRACES_SECONDS = [0, 3600, 86_400, 7 * 86_400, 30 * 86_400];

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
  const [graceSeconds, setGraceSeconds] = useState(86_400);
  const action = {
    title: 'Rotate the key',
    submit: 'Rotate',
    effect: (
      <p>
        A new secret under a new id takes over owner, plan, limits, counters and bans. The old secret works for a while
        longer, so that the consumer can change over. <strong>This cannot be undone.</strong>
      </p>
    ),
    fields: (
      <SelectField
        label="The old secret works for"
        value={String(graceSeconds)}
        options={GRACES_SECONDS.map((each) => ({
          value: String(each),
          label: each === 0 ? 'not a moment longer: it has leaked' : spokenDuration(each * 1000),
        }))}
        onChange={(value) => setGraceSeconds(Number(value))}
      />
    ),
    change: ({ id }: Key, reason: string) => rotateKey(id, graceSeconds, reason),
    command: ({ id }: Key, reason: string) =>
      tollgateLine(['keys', 'rotate', id], { 'grace-seconds': graceSeconds, reason }),
    done: 'Rotated',
    onDone: ([answer]: readonly unknown[]) => onRotated(answer as KeyWithSecret),
  };
  return <ActionDialog action={action} subjects={[subject]} nameOf={({ name }) => name} onClose={onClose} />;
}
