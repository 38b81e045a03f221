import { useQuery } from '@tanstack/react-query';
import { pluralize } from '../../../shared/format/number.ts';
import { type Account, accountKeysQuery, deleteAccount } from '../../api/accounts.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import styles from '../dialog/effect.module.css';

/** Deletes an account. The dialog first says what is deleted with it and what stays. */
export function DeleteAccountDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const action = {
    title: 'Delete the account',
    submit: 'Delete permanently',
    danger: true,
    effect: <Effect account={account} />,
    change: deleteAccount,
    command: ({ id }: Account, reason: string) => formatTollgateCommand(['accounts', 'delete', id], { reason }),
    done: 'Account deleted',
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={({ name }) => name} onClose={onClose} />;
}

function Effect({ account }: { readonly account: Account }) {
  const keys = useQuery(accountKeysQuery(account)).data;
  return (
    <div className={styles.effect}>
      <p>
        <strong>This cannot be undone.</strong> Within a second, calls with{' '}
        {keys === undefined ? 'every key that it created' : describeCreatedKeys(keys)} get <code>401 key_revoked</code>.
      </p>
      <p>
        Deleted with <bdi>{account.name}</bdi>:
      </p>
      <ul>
        <li>every session and sign-in link: its users are signed out</li>
        <li>its webhooks, their secrets, and pending deliveries</li>
        <li>its name, email address and plan requests</li>
      </ul>
      <p>
        Not deleted:{' '}
        {keys === undefined || keys.given === 0
          ? 'keys'
          : `${pluralize(keys.given, 'key')}${keys.more ? ' or more' : ''}`}{' '}
        that operators created for <bdi>{account.owner}</bdi>, the history of its calls, and the audit log. To keep its
        keys working, disable the account instead.
      </p>
    </div>
  );
}

function describeCreatedKeys({ made: count, more }: { readonly made: number; readonly more: boolean }): string {
  if (count === 0 && !more) return 'every key that it created (none is active)';
  return `${pluralize(count, 'key')} that it created${more ? ', or more' : ''}`;
}
