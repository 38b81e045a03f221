import { X } from 'lucide-react';
import { shortId } from '../../../shared/format/id.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { Page, Toolbar } from '../../../shared/ui/page/page.tsx';
import { useRowShortcuts } from '../../../shared/behavior/row-shortcuts.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import type { Schemas } from '../../api/transport/client.ts';
import { readAuditCsv } from '../../api/audit-csv.ts';
import type { AuditFilters } from '../../api/audit.ts';
import { SaveCsv } from '../../parts/save-csv.tsx';

type Action = Schemas['AuditAction'];

/** A record, so that none can be forgotten. */
const ACTIONS: Readonly<Record<Action, true>> = {
  'key.create': true,
  'key.update': true,
  'key.revoke': true,
  'key.rotate': true,
  'key.retire': true,
  'key.address_refused': true,
  'key.sign_in': true,
  'key.sign_out': true,
  'plan.put': true,
  'plan.delete': true,
  'plans.seed': true,
  'ban.start': true,
  'ban.lift': true,
  'bulk.start': true,
  'account.create': true,
  'account.update': true,
  'account.delete': true,
  'account.link': true,
  'account.bind': true,
  'account.sign_in': true,
  'account.sign_out': true,
  'plan_request.create': true,
  'plan_request.approve': true,
  'plan_request.decline': true,
  'plan_request.withdraw': true,
  'webhook.create': true,
  'webhook.update': true,
  'webhook.rotate': true,
  'webhook.disable': true,
  'webhook.delete': true,
  'usage.reset': true,
  'usage.delete': true,
  'session.start': true,
  'session.end': true,
  'session.revoke': true,
  'session.link': true,
  'config.reload': true,
};
const OPTIONS = Object.keys(ACTIONS).map((value) => ({ value, label: value }));

export function AuditScreen() {
  const filters = useSearch({ from: '/audit' }) as AuditFilters;
  const navigate = useNavigate({ from: '/audit' });
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const { subject = '', actor = '', action = '', bulkId } = filters;
  useRowShortcuts();
  return (
    <Page title="Audit" answer={<p>Who changed what, when and why. Nothing here can be changed or deleted.</p>}>
      <Toolbar aside={<SaveCsv file="audit.csv" read={(onProgress) => readAuditCsv(filters, onProgress)} />}>
        <FilterText
          label="Changes to"
          placeholder="Id of a key, plan, …"
          value={subject}
          onChange={(text) => set({ subject: text })}
        />
        <FilterText
          label="Changes by"
          placeholder="Name of a person, token, …"
          value={actor}
          onChange={(text) => set({ actor: text })}
        />
        <FilterSelect label="Action" value={action} options={OPTIONS} onChange={(value) => set({ action: value })} />
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
    </Page>
  );
}
