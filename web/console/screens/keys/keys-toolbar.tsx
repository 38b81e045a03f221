import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EXPIRING_DAYS } from '../../../shared/format/durations.ts';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterChip } from '../../../shared/ui/controls/filter-chip.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { withoutSecret } from '../../parts/without-secret.ts';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { EXPIRING_WITHIN, type KeyFilters, MIN_SEARCH_LENGTH, readKeys } from '../../api/keys.ts';
import { plansQuery } from '../../api/plans.ts';
import { readAll } from '../../api/transport/read-all.ts';
import { SaveCsv } from '../../../shared/ui/overlays/save-csv.tsx';
import { formatKeysCsv } from './keys-csv.ts';
import { KindFilter } from './kind-filter.tsx';

/** The filters that the status select sets or clears. */
type Chosen = Pick<KeyFilters, 'status' | 'state' | 'expiresWithin'>;

const STATUSES: readonly { readonly value: string; readonly label: string; readonly chosen: Chosen }[] = [
  { value: 'active', label: findStateWord('active'), chosen: { status: 'active' } },
  { value: 'banned', label: findStateWord('banned'), chosen: { state: 'banned' } },
  { value: 'expiring', label: `Expiring in ${EXPIRING_DAYS} days`, chosen: { expiresWithin: EXPIRING_WITHIN } },
  { value: 'expired', label: findStateWord('expired'), chosen: { state: 'expired' } },
  { value: 'rotating', label: findStateWord('rotating'), chosen: { state: 'rotating' } },
  { value: 'disabled', label: findStateWord('disabled'), chosen: { status: 'disabled' } },
  { value: 'revoked', label: findStateWord('revoked'), chosen: { status: 'revoked' } },
];

function findStatus({ status, state, expiresWithin }: Chosen): string {
  const same = STATUSES.find(
    ({ chosen }) => chosen.status === status && chosen.state === state && chosen.expiresWithin === expiresWithin,
  );
  return same?.value ?? '';
}

const AGES = [30, 90, 365].map((days) => ({ value: `${days}d`, label: `not in the last ${days} days` }));

export function KeysToolbar({ filters, sort }: { readonly filters: KeyFilters; readonly sort: string }) {
  const plans = useQuery(plansQuery).data ?? [];
  const navigate = useNavigate({ from: '/keys' });
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const { q = '', owner, plan = '', kind, token, unusedFor = '' } = filters;
  const choose = (value: string) => {
    const none = { status: undefined, state: undefined, expiresWithin: undefined };
    set({ ...none, ...STATUSES.find((one) => one.value === value)?.chosen });
  };
  const readMatching = async (onProgress: (read: number) => void) =>
    formatKeysCsv(await readAll((cursor) => readKeys(filters, cursor, undefined, sort), onProgress));
  return (
    <Toolbar aside={<SaveCsv file="keys.csv" read={readMatching} />}>
      <FilterText
        label="Search the keys"
        placeholder="Name, owner, id or secret"
        value={q}
        hint={
          q.length > 0 && q.length < MIN_SEARCH_LENGTH ? `Type at least ${MIN_SEARCH_LENGTH} characters` : undefined
        }
        onChange={(text) => set({ q: withoutSecret(text) })}
      />
      <FilterSelect
        label="Plan"
        value={plan}
        options={plans.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(value) => set({ plan: value })}
      />
      <KindFilter kind={kind} token={token} onChoose={set} />
      <FilterSelect label="Status" value={findStatus(filters)} options={STATUSES} onChange={choose} />
      <FilterSelect label="Used" value={unusedFor} options={AGES} onChange={(value) => set({ unusedFor: value })} />
      {owner !== undefined && (
        <FilterChip onClick={() => set({ owner: undefined })} aria-label={`Owner: ${owner}. Show all owners`}>
          Owner: <bdi>{owner}</bdi>
        </FilterChip>
      )}
    </Toolbar>
  );
}
