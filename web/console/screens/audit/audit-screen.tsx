import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { shortId } from '../../../shared/format/id.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { Page, Toolbar } from '../../../shared/ui/page/page.tsx';
import { DAY_MS } from '../../../shared/format/durations.ts';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { ACTION_WORDS } from '../../parts/audit/audit-words.ts';
import { FilterTimes } from '../../../shared/ui/controls/filter-time.tsx';
import { AuditDialog } from './audit-dialog.tsx';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { readAuditCsv } from '../../api/audit-csv.ts';
import type { AuditFilters } from '../../api/audit.ts';
import { plansQuery } from '../../api/plans.ts';
import { SaveCsv } from '../../../shared/ui/overlays/save-csv.tsx';

const PERIODS = [1, 7, 30].map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }));
const OPTIONS = Object.keys(ACTION_WORDS).map((value) => ({ value, label: value }));

export function AuditScreen() {
  const { entry, signIns, ...given } = useSearch({ from: '/audit' });
  // Sign-ins are hidden unless the address asks for them, or for their action.
  const isHiding = signIns === undefined && !isSignIn(given.action);
  const plans = useQuery(plansQuery).data ?? [];
  const plan = plans.find(({ name }) => name.toLowerCase() === given.subject?.trim().toLowerCase());
  const asked = { ...given, ...(plan === undefined ? {} : { subject: plan.id }) } as AuditFilters;
  const filters: AuditFilters = isHiding ? { ...asked, signIns: 'false' } : asked;
  const navigate = useNavigate({ from: '/audit' });
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const { actor = '', action = '', bulkId, from, to } = filters;
  const last = useLastDays(from, set);
  useRowShortcuts();
  return (
    <Page title="Audit" answer={<p>Who changed what, when and why. Nothing here can be changed or deleted.</p>}>
      <Toolbar aside={<SaveCsv file="audit.csv" read={(onProgress) => readAuditCsv(filters, onProgress)} />}>
        <FilterText
          label="Changes to"
          placeholder="Id, or name of a plan"
          value={given.subject ?? ''}
          onChange={(text) => set({ subject: text })}
        />
        <FilterText
          label="Changes by"
          placeholder="Name of a person, token, …"
          value={actor}
          onChange={(text) => set({ actor: text })}
        />
        <FilterSelect label="Action" value={action} options={OPTIONS} onChange={(value) => set({ action: value })} />
        <FilterSelect label="Last" value={last.days} options={PERIODS} onChange={last.choose} />
        <FilterTimes from={from} to={to} onChange={set} />
        <Button aria-pressed={!isHiding} onClick={() => set({ signIns: isHiding ? 'shown' : undefined })}>
          {isHiding ? 'Show sign-ins' : 'Hide sign-ins'}
        </Button>
        {bulkId !== undefined && (
          <Button
            icon={X}
            onClick={() => set({ bulkId: undefined })}
            aria-label={`Bulk change: ${bulkId}. Show all changes`}
          >
            Bulk change: <code>{shortId(bulkId)}</code>
          </Button>
        )}
      </Toolbar>
      <AuditTable filters={filters} />
      {entry !== undefined && <AuditDialog sequence={entry} onClose={() => set({ entry: undefined })} />}
    </Page>
  );
}

/** The changes of the last days: sets the beginning, which is in the address. */
function useLastDays(from: string | undefined, set: (change: Record<string, string | undefined>) => void) {
  const [chosen, setChosen] = useState<{ readonly days: string; readonly from: string } | null>(null);
  return {
    days: chosen !== null && chosen.from === from ? chosen.days : '',
    choose: (days: string) => {
      const since = days === '' ? undefined : new Date(Date.now() - Number(days) * DAY_MS).toISOString();
      setChosen(since === undefined ? null : { days, from: since });
      set({ from: since, to: undefined });
    },
  };
}

function isSignIn(action: string | undefined): boolean {
  return action !== undefined && /^(?:key|account)\.sign_(?:in|out)$|^session\.(?:start|end)$/.test(action);
}
