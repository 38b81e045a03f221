import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { Column } from '../../../shared/ui/data/data-table.tsx';
import { FittedTable } from '../../parts/fitted-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { ApproveAccountDialog, DeclineAccountDialog, ShowLinkDialog } from '../../actions/lazy-dialogs.ts';
import { type AccountRequest, openAccountRequestsQuery, type SignInLink } from '../../api/accounts.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { PlanNames, usePlanNames } from '../../parts/plan-link.tsx';
import { useSession } from '../../session/session-context.ts';
import styles from './portal-screen.module.css';

type Asked = { readonly request: AccountRequest; readonly verdict: 'approve' | 'decline' } | null;

const columnsWith = (planName: (id: string) => string): readonly Column<AccountRequest>[] => [
  { id: 'who', header: 'Who', cell: (request) => <Who request={request} /> },
  {
    id: 'purpose',
    header: 'Purpose',
    hideBelow: 'narrow',
    cell: ({ purpose }) => <bdi className={styles.message}>{purpose}</bdi>,
  },
  {
    id: 'plan',
    header: 'Plan',
    hideBelow: 'narrow',
    text: ({ plan }) => planName(plan),
    cell: ({ plan }) => <PlanNames ids={[plan]} />,
  },
  {
    id: 'asked',
    header: 'Requested',
    width: '120px',
    hideBelow: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Lists the open requests of people without an account. Renders nothing if there are none. */
export function AccountRequests() {
  const requests = useQuery(openAccountRequestsQuery);
  const { canChange } = useSession();
  const planName = usePlanNames();
  const columns = useMemo(() => columnsWith(planName), [planName]);
  const [asked, setAsked] = useState<Asked>(null);
  const [made, setMade] = useState<{ readonly link: SignInLink; readonly email: string } | null>(null);
  const close = () => setAsked(null);
  const decideColumn: Column<AccountRequest> = {
    id: 'decide',
    header: 'Decision',
    // Leaves room for both buttons side by side, except on narrow screens.
    width: 'clamp(132px, 28vw, 224px)',
    cell: (request) => (
      <span className={styles.actions}>
        {request.knownAccountId === null && (
          <Button onClick={() => setAsked({ request, verdict: 'approve' })}>Approve…</Button>
        )}
        <Button onClick={() => setAsked({ request, verdict: 'decline' })}>Decline…</Button>
      </span>
    ),
  };
  const items = requests.data?.items ?? [];
  return (
    <>
      {requests.isError && requests.data === undefined && <ReadFailure query={requests} what="the account requests" />}
      {items.length > 0 && (
        <Section title="Account requests">
          <FittedTable
            caption="Open account requests"
            columns={canChange ? [...columns, decideColumn] : columns}
            rows={items}
            rowId={({ id }) => id}
          />
        </Section>
      )}
      {asked?.verdict === 'approve' && (
        <ApproveAccountDialog
          request={asked.request}
          onClose={close}
          onMade={(link) => setMade({ link, email: asked.request.email })}
        />
      )}
      {asked?.verdict === 'decline' && <DeclineAccountDialog request={asked.request} onClose={close} />}
      {made !== null && <ShowLinkDialog link={made.link} to={made.email} onClose={() => setMade(null)} />}
    </>
  );
}

function Who({
  request: { name, email, knownAccountId, purpose, plan, createdAt },
}: {
  readonly request: AccountRequest;
}) {
  return (
    <span className={parts.name}>
      <bdi>{name}</bdi>
      <bdi className={parts.detail}>{email}</bdi>
      <span className={parts.onPhones}>
        <bdi className={styles.message}>{purpose}</bdi>
        plan <PlanNames ids={[plan]} />, <Time at={createdAt} />
      </span>
      {knownAccountId !== null && (
        <Link to="/portal" search={{ q: email }} title="Find the account, to send it a sign-in link instead">
          <Badge tone="refused" icon={TriangleAlert}>
            Has an account
          </Badge>
        </Link>
      )}
    </span>
  );
}
