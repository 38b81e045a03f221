import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { Page, Toolbar } from '../../../shared/ui/page/page.tsx';
import { useRowShortcuts } from '../../../shared/behaviour/row-shortcuts.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { SaveAudit } from './save-audit.tsx';

const ACTIONS = [
  'key.create',
  'key.update',
  'key.revoke',
  'key.rotate',
  'plan.put',
  'plan.delete',
  'ban.start',
  'ban.lift',
  'webhook.create',
  'webhook.update',
  'webhook.rotate',
  'webhook.disable',
  'webhook.delete',
  'usage.reset',
  'usage.delete',
  'session.start',
  'session.end',
  'session.revoke',
  'session.link',
].map((value) => ({ value, label: value }));

export function AuditScreen() {
  const filters = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const set = (change: Record<string, string>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const { subject = '', actor = '', action = '' } = filters;
  useRowShortcuts();
  return (
    <Page title="Audit" answer={<p>Who changed what, when and why. Nothing here can be changed or deleted.</p>}>
      <Toolbar aside={<SaveAudit filters={filters} />}>
        <FilterText
          label="Changes of one thing"
          placeholder="Id of a key or plan"
          value={subject}
          onChange={(text) => set({ subject: text })}
        />
        <FilterText
          label="Changes by one person"
          placeholder="Who"
          value={actor}
          onChange={(text) => set({ actor: text })}
        />
        <FilterSelect label="What" value={action} options={ACTIONS} onChange={(value) => set({ action: value })} />
      </Toolbar>
      <AuditTable filters={filters} />
    </Page>
  );
}
