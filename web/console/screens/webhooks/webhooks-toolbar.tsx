import { useNavigate } from '@tanstack/react-router';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterChip } from '../../../shared/ui/controls/filter-chip.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { NO_ACCOUNT, type WebhookFilters } from '../../api/events/webhooks.ts';
import { AccountName } from '../../parts/account-name.tsx';
import styles from './webhooks-toolbar.module.css';

/** The filters that the status select sets or clears. */
type Chosen = Pick<WebhookFilters, 'status' | 'state'>;

const NOTHING: Chosen = {};
const STATUSES: readonly { readonly value: string; readonly label: string; readonly chosen: Chosen }[] = [
  { value: 'enabled', label: findStateWord('enabled'), chosen: { status: 'enabled' } },
  { value: 'failing', label: findStateWord('failing'), chosen: { state: 'failing' } },
  { value: 'disabled', label: findStateWord('disabled'), chosen: { status: 'disabled' } },
];
const OWN = [{ value: NO_ACCOUNT, label: 'Operators' }];

/** Reads the filters from the URL, which may contain any text. Unknown combinations set no filter. */
export function findChosen({ status, state }: { readonly status?: string; readonly state?: string }): Chosen {
  const same = STATUSES.find(({ chosen }) => chosen.status === status && chosen.state === state);
  return same?.chosen ?? NOTHING;
}

export function WebhooksToolbar({ filters: { account = '', status, state } }: { readonly filters: WebhookFilters }) {
  const navigate = useNavigate({ from: '/webhooks' });
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const isOne = account !== '' && account !== NO_ACCOUNT;
  return (
    <Toolbar>
      <FilterSelect
        label="Status"
        value={state ?? status ?? ''}
        options={STATUSES}
        onChange={(value) =>
          set({ status: undefined, state: undefined, ...STATUSES.find((one) => one.value === value)?.chosen })
        }
      />
      {!isOne && (
        <FilterSelect label="Belongs to" value={account} options={OWN} onChange={(value) => set({ account: value })} />
      )}
      {isOne && (
        <FilterChip onClick={() => set({ account: undefined })} title="Show webhooks of all accounts">
          <span className={styles.account}>
            Account: <AccountName id={account} />
          </span>
        </FilterChip>
      )}
    </Toolbar>
  );
}
