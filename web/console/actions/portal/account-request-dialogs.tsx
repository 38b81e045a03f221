import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../../../shared/ui/controls/field.tsx';
import { type AccountRequest, approveAccount, declineAccount, type SignInLink } from '../../api/accounts.ts';
import { proposeOwnerForMail } from '../../api/owner-of-mail.ts';
import { plansQuery } from '../../api/plans.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { NEEDS_OWNER, OwnerField } from '../dialog/owner-field.tsx';
import { createPlanOptions } from '../dialog/proposed-plan.ts';
import styles from './decide-dialog.module.css';

interface Props {
  readonly request: AccountRequest;
  readonly onClose: () => void;
}

/** Creates the requested account. `onMade` gets the sign-in link to send. */
export function ApproveAccountDialog({
  request,
  onClose,
  onMade,
}: Props & { readonly onMade: (link: SignInLink) => void }) {
  const plans = (useQuery(plansQuery).data ?? []).filter(({ custom }) => !custom);
  const [owner, setOwner] = useState<string | null>('');
  const [plan, setPlan] = useState(request.plan);
  const granted = { owner: owner ?? '', plan };
  const action = {
    title: 'Approve the request',
    submit: 'Create the account',
    effect: (
      <>
        <p>
          This creates an account for <bdi>{request.name}</bdi>, and a sign-in link that works once, within 7 days. Send
          it to <bdi>{request.email}</bdi>. This address is not verified yet.
        </p>
        <Purpose request={request} />
      </>
    ),
    fields: (
      <>
        <SelectField label="Plan" value={plan} options={createPlanOptions(plans)} onChange={setPlan} />
        <OwnerField
          optional
          forAccount
          hint="If this owner already has keys, the account sees them. Default: the id of the account. It cannot be changed later."
          value=""
          proposal={proposeOwnerForMail(request.email)}
          onChange={setOwner}
        />
      </>
    ),
    needs: [owner === null && NEEDS_OWNER, !plans.some(({ id }) => id === plan) && 'Choose a plan.'],
    reasonOptional: true,
    change: (subject: AccountRequest, reason: string) => approveAccount(subject, granted, reason),
    command: ({ id }: AccountRequest, reason: string) =>
      formatTollgateCommand(['account-requests', 'approve', id], {
        owner: granted.owner || undefined,
        plan: plan === request.plan ? undefined : plan,
        reason,
      }),
    done: 'Account created',
    onDone: ([response]: readonly unknown[]) => onMade(response as SignInLink),
  };
  return <ActionDialog action={action} subjects={[request]} nameOf={({ name }) => name} onClose={onClose} />;
}

export function DeclineAccountDialog({ request, onClose }: Props) {
  const action = {
    title: 'Decline the request',
    submit: 'Decline',
    danger: true,
    effect: (
      <>
        <p>
          <bdi>{request.name}</bdi> gets no account and is not notified.
        </p>
        <Purpose request={request} />
      </>
    ),
    reasonOptional: true,
    change: declineAccount,
    command: ({ id }: AccountRequest, reason: string) =>
      formatTollgateCommand(['account-requests', 'decline', id], { reason }),
    done: 'Declined',
  };
  return <ActionDialog action={action} subjects={[request]} nameOf={({ name }) => name} onClose={onClose} />;
}

function Purpose({ request: { purpose } }: { readonly request: AccountRequest }) {
  return (
    <blockquote className={styles.message}>
      <bdi>{purpose}</bdi>
    </blockquote>
  );
}
