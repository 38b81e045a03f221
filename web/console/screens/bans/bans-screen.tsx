import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { stateOptions } from '../../../shared/format/state-words.ts';
import { plural } from '../../../shared/format/number.ts';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Page, Toolbar } from '../../../shared/ui/page/page.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { MIN_SEARCH_LENGTH } from '../../api/keys.ts';
import { activeBansQuery, type BanStatus } from '../../api/bans.ts';
import { BanList } from '../../parts/keys/ban-list.tsx';

const STATUSES = stateOptions('active', 'expired', 'lifted', 'replaced');

export function BansScreen() {
  const { status = '', q = '' } = useSearch({ from: '/bans' });
  const navigate = useNavigate({ from: '/bans' });
  const running = useQuery(activeBansQuery);
  const set = (change: Record<string, string>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const filters = {
    ...(q.length < MIN_SEARCH_LENGTH ? {} : { q }),
    ...(status === '' ? {} : { status: status as BanStatus }),
  };
  useRowShortcuts();
  return (
    <Page
      title="Bans"
      answer={
        running.data !== undefined && (
          <p>
            <strong>{running.data.count === 0 ? 'No key' : plural(running.data.count, 'key')}</strong>
            {running.data.more && ' or more'} {running.data.count <= 1 ? 'is' : 'are'} banned.
          </p>
        )
      }
      actions={<Freshness query={running} />}
    >
      <Toolbar>
        <FilterText
          label="Search the bans"
          placeholder="Key name, owner or id"
          value={q}
          hint={
            q.length > 0 && q.length < MIN_SEARCH_LENGTH ? `Type at least ${MIN_SEARCH_LENGTH} characters` : undefined
          }
          onChange={(text) => set({ q: text.trim() })}
        />
        <FilterSelect label="Status" value={status} options={STATUSES} onChange={(value) => set({ status: value })} />
      </Toolbar>
      <BanList filters={filters} />
    </Page>
  );
}
