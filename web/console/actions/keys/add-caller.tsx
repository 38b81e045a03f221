import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parseLocalTime } from '../../../shared/format/local-time.ts';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';
import { addCaller, type CallerToAdd } from '../../api/key-changes.ts';
import type { Key } from '../../api/keys.ts';
import { createLimitTexts, readLimits } from '../../api/limits.ts';
import { plansQuery } from '../../api/plans.ts';
import type { TokenIssuer } from '../../api/tokens.ts';
import { formatTollgateCommand } from '../../api/transport/command-line.ts';
import { ExpiryField } from '../dialog/expiry-field.tsx';
import { LimitFields } from '../dialog/limit-fields.tsx';
import { NEEDS_LIMITS } from '../dialog/needs.ts';
import { NEEDS_OWNER, OwnerField } from '../dialog/owner-field.tsx';
import { createPlanOptions } from '../dialog/proposed-plan.ts';

/** The values of a claim that the API accepts. */
const CALLER_VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
const MAX_CALLER_LENGTH = 120;

interface Options {
  readonly issuers: readonly TokenIssuer[];
  readonly givenOwner: string;
  readonly onAdded: (key: Key) => void;
}

/** Provides the fields, and the change, that add a caller with access tokens before its first token arrives. */
export function useCallerToAdd({ issuers, givenOwner, onAdded }: Options) {
  const plans = useQuery(plansQuery).data ?? [];
  const [issuerName, setIssuerName] = useState('');
  const [claimName, setClaimName] = useState('');
  const [caller, setCaller] = useState('');
  const [name, setName] = useState('');
  const [owner, setOwner] = useState<string | null>(givenOwner);
  const [planId, setPlanId] = useState('');
  const [typed, setTyped] = useState(createLimitTexts(null));
  const [expires, setExpires] = useState('');
  const issuer = issuers.find((each) => each.name === issuerName) ?? issuers[0];
  const claims = issuer?.caller ?? [];
  const claim = claims.find((each) => each === claimName) ?? claims[0];
  const plan = plans.find(({ id }) => id === planId);
  const limits = readLimits(typed);
  const custom = plan?.custom === true;
  const expiresAt = parseLocalTime(expires);
  const isWrong = caller !== '' && !CALLER_VALUE.test(caller);
  const defaultOwner = `${issuer?.name ?? ''}:${caller === '' ? 'VALUE' : caller}`;
  const subject: CallerToAdd = {
    kind: 'token',
    token: { name: issuer?.name ?? '', caller, claim },
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(owner === null || owner === '' ? {} : { owner }),
    ...(plan === undefined ? {} : { plan: plan.id }),
    ...(custom ? { limits } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const issuerPlan = plans.find(({ id }) => id === issuer?.plan)?.name ?? issuer?.plan ?? '';
  const action = {
    title: 'Create a key',
    submit: 'Add the caller',
    effect: (
      <p>
        A caller has no secret: its access tokens are accepted as soon as it is added. Most callers need not be added,
        because their first token creates them.
      </p>
    ),
    fields: (
      <>
        <SelectField
          label="Issuer"
          value={issuer?.name ?? ''}
          hint={issuer?.issuer}
          options={issuers.map((each) => ({ value: each.name, label: each.name }))}
          onChange={setIssuerName}
        />
        <SelectField
          label="Claim"
          value={claim ?? ''}
          hint="The claim of its tokens that names the caller."
          options={claims.map((each) => ({ value: each, label: each }))}
          onChange={setClaimName}
        />
        <TextField
          label="Value"
          hint="The value of the claim, such as the client id of an app."
          error={isWrong ? 'Use printable ASCII characters, without a space at either end.' : undefined}
          required
          maxLength={MAX_CALLER_LENGTH}
          value={caller}
          onChange={setCaller}
        />
        <TextField
          label="Name"
          hint="Default: the value of the claim."
          optional
          maxLength={128}
          value={name}
          onChange={setName}
        />
        <OwnerField
          hint={`Default: ${defaultOwner}. If the owner has an account, the caller shares its quota.`}
          optional
          value={givenOwner}
          onChange={setOwner}
        />
        <SelectField
          label="Plan"
          value={plan?.id ?? ''}
          options={[{ value: '', label: `Default: the account’s plan, or ${issuerPlan}` }, ...createPlanOptions(plans)]}
          onChange={setPlanId}
        />
        {custom && <LimitFields limits={typed} planName={plan.name} onChange={setTyped} />}
        <ExpiryField value={expires} onChange={setExpires} />
      </>
    ),
    needs: [
      caller === '' && 'Enter the value of the claim.',
      isWrong && 'Use printable ASCII characters in the value.',
      owner === null && NEEDS_OWNER,
      custom && limits === null && NEEDS_LIMITS,
    ],
    reasonOptional: true,
    change: (added: CallerToAdd, reason: string) => addCaller(added, reason),
    command: (added: CallerToAdd, reason: string) =>
      formatTollgateCommand(['keys', 'create'], {
        token: added.token?.name,
        caller: added.token?.caller,
        claim: added.token?.claim === claims[0] ? undefined : added.token?.claim,
        owner: added.owner,
        name: added.name,
        plan: added.plan,
        minute: added.limits?.minute,
        day: added.limits?.day,
        month: added.limits?.month,
        'expires-at': added.expiresAt ?? undefined,
        reason,
      }),
    onDone: ([response]: readonly unknown[]) => onAdded(response as Key),
  };
  return { action, subject };
}
