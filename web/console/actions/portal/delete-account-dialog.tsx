import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../shared/format/number.ts';
import { type Account, accountKeysQuery, deleteAccount } from '../../api/accounts.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import styles from './delete-account-dialog.module.css';

/** Deletes an account, and says before what goes with it and what stays. */
export function DeleteAccountDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const action = {
    title: 'Delete the account',
    submit: 'Delete for good',
    danger: true,
    effect: <Effect account={account} />,
    change: deleteAccount,
    command: ({ id }: Account, reason: string) => tollgateLine(['accounts', 'delete', id], { reason }),
    done: 'Account deleted',
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={({ name }) => name} onClose={onClose} />;
}

function Effect({ account }: { readonly account: Account }) {
  const keys = useQuery(accountKeysQuery(account)).data;
  return (
    <div className={styles.effect}>
      <p>
        <strong>
          This cannot be undone. With <bdi>{account.name}</bdi> goes:
        </strong>
      </p>
      <ul>
        <li>
          {keys === undefined ? 'every key that it made' : made(keys)}: revoked, so that calls with it get{' '}
          <code>401 key_revoked</code> within a second
        </li>
        <li>every session and sign-in link: whoever is signed in is signed out</li>
        <li>its webhooks, with their secrets, and what was not delivered yet</li>
        <li>its name, its address, and its requests for a plan</li>
      </ul>
      <p>
        What stays:{' '}
        {keys === undefined || keys.given === 0 ? 'keys' : `${plural(keys.given, 'key')}${keys.more ? ' or more' : ''}`}{' '}
        that operators made for <bdi>{account.owner}</bdi>, the history of its calls, and the audit log. To keep its
        keys working, disable the account instead.
      </p>
    </div>
  );
}

function made({ made: count, more }: { readonly made: number; readonly more: boolean }): string {
  if (count === 0 && !more) return 'every key that it made (none works now)';
  return `${plural(count, 'key')} that it made${more ? ', or more' : ''}`;
}
