import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';
import { type Account, createAccount, type NewAccount, setAccountStatus } from '../../api/accounts.ts';
import { smallestPlan } from '../../api/plan-content.ts';
import { plansQuery } from '../../api/plans.ts';
import { OwnerField } from '../dialog/owner-field.tsx';
import { tollgateLine } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';

/** A person or team that may sign in to the portal. */
export function CreateAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const plans = useQuery(plansQuery).data ?? [];
  const [name, setName] = useState('');
  const [owner, setOwner] = useState('');
  const [email, setEmail] = useState('');
  const [planId, setPlanId] = useState('');
  const plan = plans.find(({ id }) => id === planId) ?? smallestPlan(plans);
  const mail = email.trim();
  const account: NewAccount = {
    name: name.trim(),
    owner: owner.trim(),
    plan: plan?.id ?? '',
    ...(mail === '' ? {} : { email: mail }),
  };
  const action = {
    title: 'Create an account',
    submit: 'Create the account',
    effect: <p>Then send it a sign-in link: choose “Create a sign-in link” in the list.</p>,
    fields: (
      <>
        <TextField label="Name" required maxLength={128} value={name} onChange={setName} />
        <OwnerField hint="If this owner already has keys, the account sees them." value={owner} onChange={setOwner} />
        <TextField label="Email" type="email" optional value={email} onChange={setEmail} />
        <SelectField
          label="Plan"
          value={plan?.id ?? ''}
          options={plans.map((each) => ({ value: each.id, label: each.name }))}
          onChange={setPlanId}
        />
      </>
    ),
    ready: account.name !== '' && account.owner !== '' && plan !== undefined,
    reasonOptional: true,
    change: createAccount,
    command: (subject: NewAccount, reason: string) =>
      tollgateLine(['accounts', 'create'], {
        owner: subject.owner,
        name: subject.name,
        plan: subject.plan,
        email: subject.email ?? undefined,
        reason,
      }),
    done: 'Account created',
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={(each) => each.name} onClose={onClose} />;
}

/** Disables an account that is active, and the other way round. */
export function AccountStatusDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const isActive = account.status === 'active';
  const action = {
    title: isActive ? 'Disable the account' : 'Enable the account',
    submit: isActive ? 'Disable' : 'Enable',
    danger: isActive,
    effect: isActive ? (
      <p>
        Users of the account are signed out and cannot sign in. Its keys keep working; to stop those, revoke them on the
        owner’s page.
      </p>
    ) : (
      <p>Users of the account can sign in again.</p>
    ),
    change: (subject: Account, reason: string) => setAccountStatus(subject, isActive ? 'disabled' : 'active', reason),
    command: ({ id }: Account, reason: string) =>
      tollgateLine(['accounts', isActive ? 'disable' : 'enable', id], { reason }),
    done: isActive ? 'Disabled' : 'Enabled',
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={({ name }) => name} onClose={onClose} />;
}
