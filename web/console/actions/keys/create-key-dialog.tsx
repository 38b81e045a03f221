import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { parseLocalTime } from '../../../shared/format/local-time.ts';
import { TextField, SelectField } from '../../../shared/ui/controls/field.tsx';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { createKey, type KeyWithSecret, type NewKey } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { plansQuery } from '../../api/plans.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { ActionDialog } from '../dialog/action-dialog.tsx';
import { ExpiryField } from '../dialog/expiry-field.tsx';
import { NEEDS_OWNER, OwnerField } from '../dialog/owner-field.tsx';
import { createPlanOptions, describePlanNeed, useProposedPlan } from '../dialog/proposed-plan.ts';
import { LimitFields } from '../dialog/limit-fields.tsx';
import { useCallerToAdd } from './add-caller.tsx';
import { NEEDS_LIMITS } from '../dialog/needs.ts';
import { createLimitTexts, readLimits } from '../../api/limits.ts';

interface Props {
  readonly owner?: string;
  readonly onClose: () => void;
  readonly onCreated: (secret: KeyWithSecret) => void;
  /** Called if a caller was added, which has no secret. */
  readonly onAdded: (key: Key) => void;
}

const SECRET = 'secret';
const TOKEN = 'token';
const CREDENTIALS = [
  { value: SECRET, label: 'A new secret' },
  { value: TOKEN, label: 'Access tokens of an identity provider' },
];

/** Creates a key with a secret or, if token issuers are configured, adds a caller that uses access tokens. */
export function CreateKeyDialog({ owner: givenOwner = '', onClose, onCreated, onAdded }: Props) {
  const issuers = useQuery(tokensQuery).data?.items ?? [];
  const [credential, setCredential] = useState(SECRET);
  const key = useKeyToCreate(givenOwner, onCreated);
  const caller = useCallerToAdd({ issuers, givenOwner, onAdded });
  const withChoice = (fields: ReactNode) => (
    <>
      {issuers.length > 0 && (
        <SelectField label="Credential" value={credential} options={CREDENTIALS} onChange={setCredential} />
      )}
      {fields}
    </>
  );
  // Both cases use the same dialog, so that the focus and the reason stay when the user switches between them.
  return credential === TOKEN ? (
    <ActionDialog
      key="dialog"
      action={{ ...caller.action, fields: withChoice(caller.action.fields) }}
      subjects={[caller.subject]}
      nameOf={({ name, token }) => name ?? token?.caller ?? ''}
      onClose={onClose}
    />
  ) : (
    <ActionDialog
      key="dialog"
      action={{ ...key.action, fields: withChoice(key.action.fields) }}
      subjects={[key.subject]}
      nameOf={({ name }) => name}
      onClose={onClose}
    />
  );
}

function useKeyToCreate(givenOwner: string, onCreated: Props['onCreated']) {
  const plans = useQuery(plansQuery).data ?? [];
  const [name, setName] = useState('');
  const [owner, setOwner] = useState<string | null>(givenOwner);
  const [planId, setPlanId] = useState('');
  const [typed, setTyped] = useState(createLimitTexts(null));
  const [expires, setExpires] = useState('');
  const proposed = useProposedPlan(owner ?? '', plans);
  const plan = plans.find(({ id }) => id === planId) ?? proposed.plan;
  const custom = plan?.custom === true;
  const limits = readLimits(typed);
  const expiresAt = parseLocalTime(expires);
  const key: NewKey = {
    name: name.trim(),
    owner: owner ?? '',
    plan: plan?.id ?? '',
    ...(custom ? { limits } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const action = {
    title: 'Create a key',
    submit: 'Create the key',
    effect: <p>The secret is shown only once, in the next step.</p>,
    fields: (
      <>
        <TextField
          label="Name"
          hint="What it is for, such as “Shop backend”."
          required
          maxLength={128}
          value={name}
          onChange={setName}
        />
        <OwnerField hint="Sent to your services with every request." value={givenOwner} onChange={setOwner} />
        <SelectField
          label="Plan"
          value={plan?.id ?? ''}
          hint={
            plan?.mode === 'shadow' ? 'In shadow mode: requests above the limits are reported, not refused.' : undefined
          }
          options={createPlanOptions(plans, plan !== undefined)}
          onChange={setPlanId}
        />
        {custom && <LimitFields limits={typed} planName={plan.name} onChange={setTyped} />}
        <ExpiryField value={expires} onChange={setExpires} />
      </>
    ),
    needs: [
      key.name === '' && 'Enter a name.',
      owner === '' && 'Enter an owner.',
      owner === null && NEEDS_OWNER,
      plan === undefined && describePlanNeed(proposed),
      custom && limits === null && NEEDS_LIMITS,
    ],
    reasonOptional: true,
    change: (subject: NewKey, reason: string) => createKey(subject, reason),
    command: (subject: NewKey, reason: string) =>
      formatTollgateCommand(['keys', 'create'], {
        owner: subject.owner,
        name: subject.name,
        plan: subject.plan,
        minute: subject.limits?.minute,
        day: subject.limits?.day,
        month: subject.limits?.month,
        'expires-at': subject.expiresAt ?? undefined,
        reason,
      }),
    onDone: ([response]: readonly unknown[]) => onCreated(response as KeyWithSecret),
  };
  return { action, subject: key };
}
