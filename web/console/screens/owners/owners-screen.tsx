import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Page, Section, Toolbar } from '../../../shared/ui/page/page.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { periodFrom } from '../../../shared/traffic/period.ts';
import { PeriodSelect } from '../../../shared/traffic/period-select.tsx';
import { OwnerLink } from '../../parts/owner-link.tsx';
import parts from '../../parts/parts.module.css';
import { Ranking } from '../../parts/ranking.tsx';
import { AllOwners } from './all-owners.tsx';

/** Who uses the API, and how much? */
export function OwnersScreen() {
  const { q = '', ...given } = useSearch({ from: '/owners' });
  const navigate = useNavigate({ from: '/owners' });
  const search = useCallback(
    (next: string) => void navigate({ search: (all) => ({ ...all, q: next }), replace: true }),
    [navigate],
  );
  const period = periodFrom(given);
  useRowShortcuts();
  return (
    <Page title="Owners" answer={<p>Who uses the API: the busiest owners, then all owners of keys.</p>}>
      <Section title={`Busiest ${period.words}`} aside={<PeriodSelect period={period} />}>
        <Ranking
          period={period}
          by="owner"
          header="Owner"
          caption="Owners with the most requests"
          nameOf={(owner) =>
            owner === null ? <span className={parts.muted}>no known key</span> : <OwnerLink owner={owner} row />
          }
          empty={<p className={parts.none}>No requests.</p>}
        />
      </Section>
      <Section title="All owners">
        <Toolbar>
          <FilterText label="Find an owner" placeholder="Part of the id" value={q} onChange={search} />
        </Toolbar>
        <AllOwners search={q} period={period} />
      </Section>
    </Page>
  );
}
