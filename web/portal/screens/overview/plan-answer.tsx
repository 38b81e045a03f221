import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useKeptFocus } from '../../../shared/behavior/keep-focus.ts';
import { DAY_MS } from '../../../shared/format/durations.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { type PlanRequest, planRequestsQuery, plansQuery } from '../../api/plans.ts';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';

/** A decision is shown for this long, unless the user dismisses it. */
const SHOWN_MS = 14 * DAY_MS;
/** The storage key for the id of the request whose decision was dismissed last. */
const STORED_AS = 'tollgate-dismissed-plan-request';

/** Shows the team's decision on the user's last request for another plan. */
export function PlanDecision() {
  const { canChange } = useSession();
  const requests = useQuery({ ...planRequestsQuery, enabled: canChange }).data ?? [];
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(STORED_AS));
  const now = useNow();
  const decided = requests.find(({ status }) => status !== 'open');
  if (decided === undefined || decided.id === dismissed) return null;
  if (Date.parse(decided.decidedAt ?? decided.createdAt) < now - SHOWN_MS) return null;
  const dismiss = () => {
    localStorage.setItem(STORED_AS, decided.id);
    setDismissed(decided.id);
  };
  return <DecisionNote request={decided} onDismiss={dismiss} />;
}

interface DecisionProps {
  readonly request: PlanRequest;
  readonly onDismiss: () => void;
}

function DecisionNote({ request: { plan, status, reason, decidedAt }, onDismiss }: DecisionProps) {
  const plans = useQuery(plansQuery).data;
  useKeptFocus();
  const known = plans === undefined ? [] : [plans.current, ...plans.requestable];
  const name = (
    <Link to="/plans">
      <bdi>{known.find(({ id }) => id === plan)?.name ?? plan}</bdi>
    </Link>
  );
  const isApproved = status === 'approved';
  return (
    <Note tone={isApproved ? 'served' : 'refused'} icon={isApproved ? CircleCheck : CircleX}>
      <p>
        <strong>
          Your request for the plan {name} was {status}
        </strong>
        {decidedAt !== null && (
          <>
            {' '}
            <Time at={decidedAt} />
          </>
        )}
        {reason === null ? '.' : ':'}
      </p>
      {reason !== null && (
        <p className={parts.quoted}>
          <bdi>{reason}</bdi>
        </p>
      )}
      <div className={parts.actions}>
        <Button kind="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </Note>
  );
}
