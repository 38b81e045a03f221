import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';
import {
  type Account,
  accountKeysQuery,
  type AccountPatch,
  createAccount,
  type NewAccount,
  updateAccount,
} from '../../api/accounts.ts';
import { type Plan, plansQuery } from '../../api/plans.ts';
import { createPlanOptions, describePlanNeed, useProposedPlan } from '../dialog/proposed-plan.ts';
import { NEEDS_OWNER, OwnerField } from '../dialog/owner-field.tsx';
import { pickEarlierValues } from '../../api/restored.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { ChangeList } from '../dialog/change-list.tsx';
import { NOTHING_CHANGED } from '../dialog/needs.ts';
import { formatCount } from '../../../shared/format/number.ts';

interface CreateAccountProps {
  /** The owner of the account. If set, the user cannot choose another. */
  readonly ofOwner?: string;
  readonly onClose: () => void;
}

/** Creates an account: a person or team that may sign in to the portal. */
export function CreateAccountDialog({ ofOwner, onClose }: CreateAccountProps) {
  const plans = useQuery(plansQuery).data ?? [];
  const [name, setName] = useState('');
  const [owner, setOwner] = useState<string | null>(ofOwner ?? '');
  const [email, setEmail] = useState('');
  const [planId, setPlanId] = useState('');
  const proposed = useProposedPlan('', withoutCustom(plans));
  const plan = plans.find(({ id }) => id === planId) ?? proposed.plan;
  const mail = email.trim();
  const account: NewAccount = {
    name: name.trim(),
    owner: owner ?? '',
    plan: plan?.id ?? '',
    ...(mail === '' ? {} : { email: mail }),
  };
  const action = {
    title: ofOwner === undefined ? 'Create an account' : `Create an account for ${ofOwner}`,
    submit: 'Create the account',
    effect:
      ofOwner === undefined ? (
        <p>Then create a sign-in link in the list, and send it to the user.</p>
      ) : (
        <p>
          Its user signs in to the portal and sees the keys of {ofOwner}, which retain their plans and quotas. Then
          create a sign-in link on this page, and send it to the user.
        </p>
      ),
    fields: (
      <>
        <TextField label="Name" required maxLength={128} value={name} onChange={setName} />
        {ofOwner === undefined && (
          <OwnerField
            forAccount
            hint="If this owner already has keys, the account sees them."
            value=""
            onChange={setOwner}
          />
        )}
        <TextField label="Email" type="email" optional value={email} onChange={setEmail} />
        <SelectField
          label="Plan"
          value={plan?.id ?? ''}
          options={createPlanOptions(withoutCustom(plans), plan !== undefined)}
          onChange={setPlanId}
        />
      </>
    ),
    needs: [
      account.name === '' && 'Enter a name.',
      owner === '' && 'Enter an owner.',
      owner === null && NEEDS_OWNER,
      plan === undefined && describePlanNeed(proposed),
    ],
    reasonOptional: true,
    change: createAccount,
    command: (subject: NewAccount, reason: string) =>
      formatTollgateCommand(['accounts', 'create'], {
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

/** Leaves out custom plans, which have no limits: the keys of an account share the limits of its plan. */
function withoutCustom(plans: readonly Plan[]): readonly Plan[] {
  return plans.filter(({ custom }) => !custom);
}

/** Changes the name, email address and plan of an account. */
export function EditAccountDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const plans = useQuery(plansQuery).data ?? [];
  const keys = useQuery(accountKeysQuery(account)).data;
  const [name, setName] = useState(account.name);
  const [email, setEmail] = useState(account.email ?? '');
  const [planId, setPlanId] = useState(account.plan);
  const mail = email.trim() === '' ? null : email.trim();
  const patch: AccountPatch = {
    ...(name.trim() === account.name ? {} : { name: name.trim() }),
    ...(mail === account.email ? {} : { email: mail }),
    ...(planId === account.plan ? {} : { plan: planId }),
  };
  const movesKeys = patch.plan !== undefined;
  // Undo is not offered if some keys were on another plan: it would not move them back.
  const canUndo = !movesKeys || (keys?.elsewhere === 0 && !keys.more);
  const action = {
    title: 'Edit the account',
    submit: movesKeys ? 'Save and change the plan' : 'Save the account',
    effect: (
      <>
        {movesKeys ? (
          <p>
            The new limits apply from the next request to keys that the account created
            {keys !== undefined && ` (${formatCount(keys.made)}${keys.more ? ' or more' : ''} active)`}. Requests
            already counted stay counted.
          </p>
        ) : (
          <p>The owner of its keys stays {account.owner}.</p>
        )}
        <ChangeList changes={accountChanges(account, patch)} />
      </>
    ),
    fields: (
      <>
        <TextField label="Name" required maxLength={128} value={name} onChange={setName} />
        <TextField
          label="Email"
          hint="Whoever signs in with OpenID Connect and has this verified address gets this account."
          type="email"
          optional
          value={email}
          onChange={setEmail}
        />
        <SelectField
          label="Plan"
          value={planId}
          options={createPlanOptions(withoutCustom(plans))}
          onChange={setPlanId}
        />
      </>
    ),
    needs: [name.trim() === '' && 'Enter a name.', Object.keys(patch).length === 0 && NOTHING_CHANGED],
    change: (subject: Account, reason: string) => updateAccount(subject, patch, reason),
    command: ({ id }: Account, reason: string) =>
      formatTollgateCommand(['accounts', 'update', id], {
        name: patch.name,
        plan: patch.plan,
        email: patch.email === null ? 'none' : patch.email,
        reason,
      }),
    done: 'Account saved',
    undo: canUndo
      ? (before: Account, reason: string) =>
          updateAccount(before, pickEarlierValues<AccountPatch>(before, patch), reason)
      : undefined,
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={(each) => each.name} onClose={onClose} />;
}

function accountChanges(before: Account, { name, email, plan }: AccountPatch) {
  return [
    ...(name === undefined ? [] : [{ what: 'Name', from: before.name, to: name }]),
    ...(email === undefined ? [] : [{ what: 'Email', from: before.email ?? 'none', to: email ?? 'none' }]),
    ...(plan === undefined ? [] : [{ what: 'Plan', from: before.plan, to: plan }]),
  ];
}

/** Disables an active account, or enables a disabled one. */
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
    change: (subject: Account, reason: string) =>
      updateAccount(subject, { status: isActive ? 'disabled' : 'active' }, reason),
    command: ({ id }: Account, reason: string) =>
      formatTollgateCommand(['accounts', isActive ? 'disable' : 'enable', id], { reason }),
    done: isActive ? 'Disabled' : 'Enabled',
  };
  return <ActionDialog action={action} subjects={[account]} nameOf={({ name }) => name} onClose={onClose} />;
}
