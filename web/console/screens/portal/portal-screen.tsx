import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { createStateOptions } from '../../../shared/format/state-words.ts';
import { pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { CreateAccountDialog } from '../../actions/lazy-dialogs.ts';
import { type AccountStatus, openAccountRequestsQuery, openPlanRequestsQuery } from '../../api/accounts.ts';
import { useDialogInUrl } from '../../../shared/behavior/dialog-in-url.ts';
import { useSession } from '../../session/session-context.ts';
import { AccountRequests } from './account-requests.tsx';
import { Accounts } from './accounts.tsx';
import { PlanRequests } from './plan-requests.tsx';

const STATUSES = createStateOptions('active', 'disabled');

/** Lists the accounts of the portal, and the open requests for accounts and plans. */
export function PortalScreen() {
  const { q = '', status = '' } = useSearch({ from: '/portal' });
  const navigate = useNavigate({ from: '/portal' });
  const { canChange } = useSession();
  const dialog = useDialogInUrl();
  const set = (change: Record<string, string>) =>
    void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  return (
    <ListPage
      title="Portal"
      summary={<PortalSummary />}
      actions={
        canChange && (
          <Button kind="primary" icon={UserPlus} onClick={() => dialog.open('create')}>
            Create an account
          </Button>
        )
      }
    >
      <AccountRequests />
      <PlanRequests />
      <Section title="Accounts">
        <Toolbar>
          <FilterText
            label="Search accounts"
            placeholder="Name, owner or email"
            value={q}
            onChange={(text) => set({ q: text })}
          />
          <FilterSelect label="Status" value={status} options={STATUSES} onChange={(value) => set({ status: value })} />
        </Toolbar>
        <Accounts
          filters={{
            ...(q === '' ? {} : { q }),
            ...(status === '' ? {} : { status: status as AccountStatus }),
          }}
        />
      </Section>
      {canChange && dialog.opened === 'create' && <CreateAccountDialog onClose={dialog.close} />}
    </ListPage>
  );
}

function PortalSummary() {
  const ofAccounts = useQuery(openAccountRequestsQuery).data;
  const ofPlans = useQuery(openPlanRequestsQuery).data;
  if (ofAccounts === undefined || ofPlans === undefined) return null;
  const waiting = ofAccounts.items.length + ofPlans.items.length;
  const isMore = ofAccounts.nextCursor !== null || ofPlans.nextCursor !== null;
  if (waiting === 0) return <p>No requests are waiting.</p>;
  return (
    <p>
      <strong>{pluralize(waiting, 'request')}</strong>
      {isMore && ' or more'} {waiting === 1 ? 'is' : 'are'} waiting for a decision.
    </p>
  );
}
