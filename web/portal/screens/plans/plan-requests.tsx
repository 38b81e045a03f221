import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { useKeptFocus } from '../../../shared/behavior/keep-focus.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import { type Plan, type PlanRequest, withdrawRequest } from '../../api/plans.ts';
import parts from '../../parts/parts.module.css';
import styles from './plans-screen.module.css';

const STATES = {
  open: { tone: 'accent', icon: Clock, words: 'Waiting for a decision' },
  approved: { tone: 'served', icon: CircleCheck, words: 'Approved' },
  declined: { tone: 'refused', icon: CircleX, words: 'Declined' },
} as const;

interface Props {
  readonly requests: readonly PlanRequest[];
  /** The plans, to find the names of those requested. */
  readonly plans: readonly Plan[];
}

/** Lists the user's requests for other plans, with the decisions. */
export function PlanRequests({ requests, plans }: Props) {
  return requests.map((request) => (
    <OneRequest
      key={request.id}
      request={request}
      name={plans.find(({ id }) => id === request.plan)?.name ?? request.plan}
    />
  ));
}

function OneRequest({ request, name }: { readonly request: PlanRequest; readonly name: string }) {
  const { id, message, status, reason, createdAt, decidedAt } = request;
  const { tone, icon, words } = STATES[status];
  return (
    <article className={parts.card} aria-label={`Request for ${name}`}>
      <header className={parts.cardHead}>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <Badge tone={tone} icon={icon}>
          {words}
        </Badge>
      </header>
      {message !== '' && (
        <p className={styles.message}>
          <bdi>{message}</bdi>
        </p>
      )}
      {reason !== null && (
        <p>
          Reason: <bdi>{reason}</bdi>
        </p>
      )}
      <p className={parts.small}>
        Requested <Time at={createdAt} />
        {decidedAt !== null && (
          <>
            , decided <Time at={decidedAt} />
          </>
        )}
      </p>
      {status === 'open' && <Withdraw id={id} />}
    </article>
  );
}

function Withdraw({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  useKeptFocus();
  const withdrawal = useMutation({
    mutationFn: () => withdrawRequest(id),
    onError: (error) => toast({ tone: 'failed', message: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['plan-requests'] }),
  });
  return (
    <div className={parts.actions}>
      <Button disabled={withdrawal.isPending} onClick={() => withdrawal.mutate()}>
        Withdraw the request
      </Button>
    </div>
  );
}
