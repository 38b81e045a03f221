import { updateKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { describeKey } from './describe-key.ts';
import type { KeyDialogProps } from './key-dialogs.tsx';

/** Exempts a key from refusals for requests that do not fit the document, or ends the exemption. */
export function ExemptDialog({ apiKey, onClose }: KeyDialogProps) {
  const isExempt = apiKey.validation === 'report';
  const wanted = isExempt ? null : 'report';
  const action = {
    title: isExempt ? `End the exemption of ${describeKey(apiKey)}` : `Exempt ${describeKey(apiKey)} from refusals`,
    submit: isExempt ? 'End the exemption' : 'Exempt the key',
    danger: isExempt,
    effect: isExempt ? (
      <p>
        Within a second, requests with this key that do not fit an operation get <code>400 validation_failed</code> if
        the operation is in mode <code>enforce</code>. Also applies to the keys that it replaced.
      </p>
    ) : (
      <p>
        Within a second, requests with this key are no longer refused for not fitting an operation. They are still
        counted. Also applies to the keys that it replaced. Other reasons to refuse, such as limits and bans, remain.
      </p>
    ),
    change: ({ id }: Key, reason: string) => updateKey(id, { validation: wanted }, reason),
    command: ({ id }: Key, reason: string) =>
      formatTollgateCommand(['keys', 'update', id], { validation: wanted ?? 'none', reason }),
    done: isExempt ? 'Exemption ended' : 'Exempted',
    undo: ({ id }: Key, reason: string) => updateKey(id, { validation: apiKey.validation }, reason),
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={({ name }) => name} onClose={onClose} />;
}
