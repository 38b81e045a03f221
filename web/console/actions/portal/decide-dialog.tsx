import { decide, type PlanRequest } from '../../api/accounts.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

interface Props {
  readonly request: PlanRequest;
  readonly verdict: 'approve' | 'decline';
  readonly onClose: () => void;
}

/** Answers a request for a plan; the account reads the reason. */
export function DecideDialog({ request, verdict, onClose }: Props) {
  const { account, plan } = request;
  const approves = verdict === 'approve';
  const action = {
    title: approves ? 'Approve the request' : 'Decline the request',
    submit: approves ? `Move to ${plan}` : 'Decline',
    danger: !approves,
    effect: approves ? (
      <p>
        The account <bdi>{account.name}</bdi> and all keys that it made move from {account.plan} to {plan} at once. They
        read your reason.
      </p>
    ) : (
      <p>
        <bdi>{account.name}</bdi> stays on {account.plan}, reads your reason, and may ask again.
      </p>
    ),
    reasonOptional: approves,
    change: (subject: PlanRequest, reason: string) => decide(subject, verdict, reason),
    command: ({ id }: PlanRequest, reason: string) => tollgateLine(['plan-requests', verdict, id], { reason }),
    done: approves ? 'Approved' : 'Declined',
  };
  return <ActionDialog action={action} subjects={[request]} nameOf={() => account.name} onClose={onClose} />;
}
