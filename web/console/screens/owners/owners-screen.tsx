import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { PeriodSelect } from '../../../shared/traffic/period-select.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { OwnerTable } from './owner-table.tsx';

/** Lists who uses the API, and how much. */
export function OwnersScreen() {
  const { q = '', ...given } = useSearch({ from: '/owners' });
  const navigate = useNavigate({ from: '/owners' });
  const search = useCallback(
    (next: string) => void navigate({ search: (all) => ({ ...all, q: next }), replace: true }),
    [navigate],
  );
  const period = readPeriod(given);
  useRowShortcuts();
  return (
    <ListPage title="Owners" summary={<p>Who uses the API, with the requests {period.words}.</p>}>
      <Toolbar aside={<PeriodSelect period={period} />}>
        <FilterText label="Find an owner" placeholder="Id, name or email" value={q} onChange={search} />
      </Toolbar>
      <OwnerTable search={q} period={period} />
    </ListPage>
  );
}
