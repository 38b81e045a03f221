import { useQuery } from '@tanstack/react-query';
import { decide, type PlanRequest } from '../../api/accounts.ts';
import { formatPlan } from '../../api/limits.ts';
import { plansQuery } from '../../api/plans.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { AccountUsage } from './account-usage.tsx';
import styles from './decide-dialog.module.css';

interface Props {
  readonly request: PlanRequest;
  readonly verdict: 'approve' | 'decline';
  readonly onClose: () => void;
}

/** Approves or declines a request for another plan. The account reads the message in the portal. */
export function DecideDialog({ request, verdict, onClose }: Props) {
  const { account, plan } = request;
  const plans = useQuery(plansQuery).data ?? [];
  const inWords = (id: string) => {
    const known = plans.find((each) => each.id === id);
    return known === undefined ? id : formatPlan(known);
  };
  const approves = verdict === 'approve';
  const action = {
    title: approves ? 'Approve the request' : 'Decline the request',
    submit: approves ? `Move to ${plans.find(({ id }) => id === plan)?.name ?? plan}` : 'Decline',
    danger: !approves,
    effect: (
      <>
        {approves ? (
          <p>
            The account <bdi>{account.name}</bdi> and all keys that it created move from {inWords(account.plan)} to{' '}
            {inWords(plan)} immediately.
          </p>
        ) : (
          <p>
            <bdi>{account.name}</bdi> stays on {account.plan} and can send another request.
          </p>
        )}
        <AccountUsage id={account.id} owner={account.owner} />
        {request.message !== '' && (
          <blockquote className={styles.message}>
            <bdi>{request.message}</bdi>
          </blockquote>
        )}
      </>
    ),
    reasonLabel: `Message to ${account.name}`,
    reasonHint: 'The customer reads it in the portal. It is also in the audit log.',
    reasonOptional: approves,
    change: (subject: PlanRequest, reason: string) => decide(subject, verdict, reason),
    command: ({ id }: PlanRequest, reason: string) => formatTollgateCommand(['plan-requests', verdict, id], { reason }),
    done: approves ? 'Approved' : 'Declined',
  };
  return <ActionDialog action={action} subjects={[request]} nameOf={() => account.name} onClose={onClose} />;
}
