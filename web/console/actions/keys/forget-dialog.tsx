import { useNavigate } from '@tanstack/react-router';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { forgetKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { describeKey } from './describe-key.ts';
import styles from '../dialog/effect.module.css';
import type { KeyDialogProps } from './key-dialogs.tsx';

/**
 * Deletes a caller with access tokens and everything that names it. The dialog first says what is deleted and what
 * stays.
 */
export function ForgetDialog({ apiKey, onClose }: KeyDialogProps) {
  const navigate = useNavigate();
  const action = {
    title: `Forget ${describeKey(apiKey)}`,
    submit: 'Forget permanently',
    danger: true,
    effect: <Effect apiKey={apiKey} />,
    change: ({ id }: Key, reason: string) => forgetKey(id, reason),
    command: ({ id }: Key, reason: string) => formatTollgateCommand(['keys', 'forget', id], { reason }),
    // Leaves the key's screen, because it shows the forgotten name.
    done: 'Forgotten',
    onDone: () => void navigate({ to: '/keys', replace: true }),
  };
  return <ActionDialog action={action} subjects={[apiKey]} nameOf={({ id }) => id} onClose={onClose} />;
}

function Effect({ apiKey }: { readonly apiKey: Key }) {
  return (
    <div className={styles.effect}>
      <p>
        <strong>This cannot be undone.</strong> Deleted with this caller:
      </p>
      <ul>
        <li>its history, and the explanations of its refused requests</li>
        <li>its events with their deliveries</li>
        <li>its entries in the audit log; one entry remains, with the id of the key</li>
      </ul>
      <p>
        Logs, traces and backups that were written before still name it. If one of its access tokens is accepted later,
        the caller is created again, without the plan and restrictions that operators gave it
        {apiKey.status === 'revoked' && ', even though it was revoked'}. So first make the identity provider stop
        issuing tokens for it.
      </p>
    </div>
  );
}
