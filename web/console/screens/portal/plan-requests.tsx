import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { DecideDialog } from '../../actions/lazy-dialogs.ts';
import { openPlanRequestsQuery, type PlanRequest } from '../../api/accounts.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { PlanNames } from '../../parts/plan-link.tsx';
import { useSession } from '../../session/session-context.ts';
import styles from './portal-screen.module.css';

type Asked = { readonly request: PlanRequest; readonly verdict: 'approve' | 'decline' } | null;

const columns: readonly Column<PlanRequest>[] = [
  { id: 'who', header: 'Account', cell: (request) => <Who request={request} /> },
  {
    id: 'message',
    header: 'Message',
    hideBelow: 'narrow',
    cell: ({ message }) => <bdi className={styles.message}>{message}</bdi>,
  },
  {
    id: 'asked',
    header: 'Requested',
    width: '120px',
    hideBelow: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Lists the open plan requests. Renders nothing if there are none. */
export function PlanRequests() {
  const requests = useQuery(openPlanRequestsQuery);
  const { canChange } = useSession();
  const [asked, setAsked] = useState<Asked>(null);
  const decideColumn: Column<PlanRequest> = {
    id: 'decide',
    header: 'Decision',
    // Leaves room for both buttons side by side, except on narrow screens.
    width: 'clamp(132px, 28vw, 224px)',
    cell: (request) => (
      <span className={styles.actions}>
        <Button onClick={() => setAsked({ request, verdict: 'approve' })}>Approve…</Button>
        <Button onClick={() => setAsked({ request, verdict: 'decline' })}>Decline…</Button>
      </span>
    ),
  };
  if (requests.data === undefined) {
    return requests.isError ? <ReadFailure query={requests} what="the plan requests" /> : <Loading rows={2} />;
  }
  const { items } = requests.data;
  if (items.length === 0) return null;
  return (
    <Section title="Plan requests">
      <DataTable
        caption="Open plan requests"
        columns={canChange ? [...columns, decideColumn] : columns}
        rows={items}
        rowId={({ id }) => id}
      />
      {asked !== null && (
        <DecideDialog request={asked.request} verdict={asked.verdict} onClose={() => setAsked(null)} />
      )}
    </Section>
  );
}

function Who({ request: { account, plan, message, createdAt } }: { readonly request: PlanRequest }) {
  const { name, owner } = account;
  return (
    <Link to="/owners/$owner" params={{ owner }} className={parts.name}>
      <bdi>{name}</bdi>
      <span className={parts.detail}>
        <PlanNames ids={[account.plan]} /> → <PlanNames ids={[plan]} />
      </span>
      <span className={parts.onPhones}>
        <bdi className={styles.message}>{message}</bdi>
        <Time at={createdAt} />
      </span>
    </Link>
  );
}
