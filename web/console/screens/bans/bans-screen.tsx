import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { createStateOptions } from '../../../shared/format/state-words.ts';
import { pluralize } from '../../../shared/format/number.ts';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterChip } from '../../../shared/ui/controls/filter-chip.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { LiftButton } from '../../actions/lift-button.tsx';
import { MIN_SEARCH_LENGTH } from '../../api/keys.ts';
import { activeBansQuery, type BanStatus, isForActiveBans } from '../../api/bans.ts';
import { useSortInUrl } from '../../parts/sort-in-url.ts';
import { withoutSecret } from '../../parts/without-secret.ts';
import { BanList } from '../../parts/keys/ban-list.tsx';

const STATUSES = createStateOptions('active', 'expired', 'lifted', 'replaced');

export function BansScreen() {
  const { status = '', q = '', owner } = useSearch({ from: '/bans' });
  const navigate = useNavigate({ from: '/bans' });
  const running = useQuery(activeBansQuery);
  const { sort, onSort } = useSortInUrl('-from');
  const sorting = { sort: status !== 'active' && isForActiveBans(sort) ? '-from' : sort, onSort };
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const filters = {
    ...(owner !== undefined ? { owner } : q.length < MIN_SEARCH_LENGTH ? {} : { q }),
    ...(status === '' ? {} : { status: status as BanStatus }),
  };
  useRowShortcuts();
  return (
    <ListPage
      title="Bans"
      summary={
        running.data !== undefined && (
          <p>
            <strong>{running.data.count === 0 ? 'No key' : pluralize(running.data.count, 'key')}</strong>
            {running.data.more && ' or more'} {running.data.count <= 1 ? 'is' : 'are'} banned. To ban a key, select it
            in the list of <Link to="/keys">keys</Link>.
          </p>
        )
      }
      actions={<Freshness query={running} />}
    >
      <Toolbar>
        {owner === undefined ? (
          <FilterText
            label="Search the bans"
            placeholder="Key name, owner or id"
            value={q}
            hint={
              q.length > 0 && q.length < MIN_SEARCH_LENGTH ? `Type at least ${MIN_SEARCH_LENGTH} characters` : undefined
            }
            onChange={(text) => set({ q: withoutSecret(text.trim()) })}
          />
        ) : (
          <FilterChip onClick={() => set({ owner: undefined })} title="Show the bans of all owners">
            <span>
              Owner: <bdi>{owner}</bdi>
            </span>
          </FilterChip>
        )}
        <FilterSelect label="Status" value={status} options={STATUSES} onChange={(value) => set({ status: value })} />
      </Toolbar>
      <BanList filters={filters} sorting={sorting} lift={(keyId) => <LiftButton keyId={keyId} />} />
    </ListPage>
  );
}
