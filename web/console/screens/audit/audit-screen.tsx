import { useQuery } from '@tanstack/react-query';
import { shortenId } from '../../../shared/format/id.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterChip } from '../../../shared/ui/controls/filter-chip.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { FilterCheck, FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { DAY_MS } from '../../../shared/format/durations.ts';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { ACTION_WORDS } from '../../parts/audit/audit-words.ts';
import { FilterTimes } from '../../../shared/ui/controls/filter-time.tsx';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { readAuditCsv } from '../../api/audit-csv.ts';
import type { AuditFilters } from '../../api/audit.ts';
import { plansQuery } from '../../api/plans.ts';
import { SaveCsv } from '../../../shared/ui/overlays/save-csv.tsx';

const CUSTOM = 'custom';
const PERIODS = [
  ...[1, 7, 30].map((days) => ({ value: String(days), label: days === 1 ? 'last day' : `last ${days} days` })),
  { value: CUSTOM, label: 'from … to …' },
];
const OPTIONS = Object.keys(ACTION_WORDS).map((value) => ({ value, label: value }));

export function AuditScreen() {
  const { entry, signIns, ...given } = useSearch({ from: '/audit' });
  // Sign-ins are hidden unless the URL asks for them or filters by their action.
  const isHiding = signIns === undefined && !isSignIn(given.action);
  const plans = useQuery(plansQuery).data ?? [];
  const plan = plans.find(({ name }) => name.toLowerCase() === given.subject?.trim().toLowerCase());
  const asked = { ...given, ...(plan === undefined ? {} : { subject: plan.id }) } as AuditFilters;
  const filters: AuditFilters = isHiding ? { ...asked, signIns: 'false' } : asked;
  const navigate = useNavigate({ from: '/audit' });
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const { actor = '', action = '', bulkId, from, to } = filters;
  const period = usePeriod({ from, to }, set);
  useRowShortcuts();
  return (
    <ListPage title="Audit" summary={<p>Who changed what, when and why. Nothing here can be changed or deleted.</p>}>
      <Toolbar aside={<SaveCsv file="audit.csv" read={(onProgress) => readAuditCsv(filters, onProgress)} />}>
        <FilterText
          label="Subject"
          placeholder="Subject: id, or name of a plan"
          value={given.subject ?? ''}
          onChange={(text) => set({ subject: text })}
        />
        <FilterText
          label="Actor"
          placeholder="Actor: person or token"
          value={actor}
          onChange={(text) => set({ actor: text })}
        />
        <FilterSelect label="Action" value={action} options={OPTIONS} onChange={(value) => set({ action: value })} />
        <FilterSelect label="Period" value={period.chosen} options={PERIODS} onChange={period.choose} />
        {period.chosen === CUSTOM && <FilterTimes from={from} to={to} isCounted={false} onChange={set} />}
        <FilterCheck
          label="Sign-ins"
          checked={!isHiding}
          onChange={(isShown) => set({ signIns: isShown ? 'shown' : undefined })}
        />
        {bulkId !== undefined && (
          <FilterChip
            onClick={() => set({ bulkId: undefined })}
            aria-label={`Bulk change: ${bulkId}. Show all changes`}
          >
            Bulk change: <code>{shortenId(bulkId)}</code>
          </FilterChip>
        )}
      </Toolbar>
      <AuditTable filters={filters} />
    </ListPage>
  );
}

type Times = Pick<AuditFilters, 'from' | 'to'>;

/** Selects a period: the last few days, or from one time to another. The URL contains only one of the two forms. */
function usePeriod({ from, to }: Times, set: (change: Record<string, string | undefined>) => void) {
  const [last, setLast] = useState<{ readonly days: string; readonly from: string } | null>(null);
  const [isCustom, setCustom] = useState(false);
  const isLast = last !== null && last.from === from && to === undefined;
  const isBetween = isCustom || from !== undefined || to !== undefined;
  return {
    chosen: isLast ? last.days : isBetween ? CUSTOM : '',
    choose: (value: string) => {
      setCustom(value === CUSTOM);
      const isDays = value !== CUSTOM && value !== '';
      const since = isDays ? new Date(Date.now() - Number(value) * DAY_MS).toISOString() : undefined;
      setLast(since === undefined ? null : { days: value, from: since });
      if (value !== CUSTOM) set({ from: since, to: undefined });
    },
  };
}

function isSignIn(action: string | undefined): boolean {
  return action !== undefined && /^(?:key|account)\.sign_(?:in|out)$|^session\.(?:start|end)$/.test(action);
}
