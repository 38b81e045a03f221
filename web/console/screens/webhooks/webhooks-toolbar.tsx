import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { stateOptions } from '../../../shared/format/state-words.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { Toolbar } from '../../../shared/ui/page/page.tsx';
import { NO_ACCOUNT, type WebhookFilters, type WebhookStatus } from '../../api/events/webhooks.ts';
import { AccountName } from '../../parts/account-name.tsx';
import styles from './webhooks-toolbar.module.css';

const STATUSES = stateOptions('enabled', 'disabled');
const OWN = [{ value: NO_ACCOUNT, label: 'Operators' }];

/** From the address, which may contain anything. */
export function statusFrom(text: string | undefined): WebhookStatus | undefined {
  return text === 'enabled' || text === 'disabled' ? text : undefined;
}

export function WebhooksToolbar({ filters: { account = '', status } }: { readonly filters: WebhookFilters }) {
  const navigate = useNavigate({ from: '/webhooks' });
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const isOne = account !== '' && account !== NO_ACCOUNT;
  return (
    <Toolbar>
      <FilterSelect
        label="Status"
        value={status ?? ''}
        options={STATUSES}
        onChange={(value) => set({ status: value })}
      />
      {!isOne && (
        <FilterSelect label="Belongs to" value={account} options={OWN} onChange={(value) => set({ account: value })} />
      )}
      {isOne && (
        <Button icon={X} onClick={() => set({ account: undefined })} title="Show webhooks of all accounts">
          <span className={styles.account}>
            Account: <AccountName id={account} />
          </span>
        </Button>
      )}
    </Toolbar>
  );
}
