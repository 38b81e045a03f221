import { callerOwner, isCallerValue, type TokenIssuer } from '../../../domain/token-caller.ts';
import { findNearest } from '../../../base/portable/nearest.ts';
import type { NewCaller } from '../../accounts/token-callers.ts';
import { invalidField } from '../../api-server/refused.ts';
import type { KeyFilter } from '../../registry/key.ts';
import type { Schemas } from './admin-handlers.ts';

/**
 * Checks an owner that an operator gives to a key, an account or an approved request: it must not be one that a token
 * could name.
 *
 * @param base JSON pointer of the object with the owner within the request's body
 * @throws Refused `validation_failed`
 */
export type CheckOwner = (owner: string, base?: string) => void;

export function createCheckOwner(issuers: readonly Pick<TokenIssuer, 'name'>[]): CheckOwner {
  return function checkOwner(owner, base = '') {
    const reserved = issuers.find(({ name }) => owner.startsWith(`${name}:`));
    if (reserved === undefined) return;
    const { name } = reserved;
    throw invalidField(
      `${base}/owner`,
      `must not begin with "${name}:": such owners are only for callers with access tokens of the issuer ${name}`,
    );
  };
}

/**
 * The filter for the callers of an issuer. Its name may have changed since they were created, so the issuer itself counts
 * as long as it is configured.
 *
 * @param name `tokens[].name`, now or before
 */
export function toIssuerFilter(
  name: string | undefined,
  issuers: readonly TokenIssuer[],
): Pick<KeyFilter, 'tokenIssuer' | 'tokenName'> {
  if (name === undefined) return {};
  const found = issuers.find((each) => each.name === name);
  return found === undefined ? { tokenName: name } : { tokenIssuer: found.issuer };
}

export type CallerTerms = Omit<NewCaller, 'caller' | 'owner' | 'plan' | 'name' | 'defaultPlan' | 'claims'>;

/**
 * The caller that an operator adds.
 *
 * @param defaultPlan `portal.plan`
 * @throws Refused `validation_failed`
 */
export function readNewCaller(
  { token, owner, plan, name, sha256, externalId }: Schemas['KeyToCreate'],
  terms: CallerTerms,
  { issuers, checkOwner, defaultPlan }: CallerSettings,
): NewCaller {
  if (sha256 !== undefined) throw invalidField('/sha256', 'is not allowed: a caller with access tokens has no secret');
  if (externalId !== null) throw invalidField('/externalId', 'is not allowed for a caller with access tokens');
  if (token === undefined) throw invalidField('/token', 'is required for a key of kind token');
  const found = issuers.find((each) => each.name === token.name);
  if (found === undefined) throw invalidField('/token/name', unknownIssuer(token.name, issuers));
  const { claim = found.caller[0] ?? '' } = token;
  if (!found.caller.includes(claim)) {
    throw invalidField(
      '/token/claim',
      `must be a claim that names callers of ${found.name}: ${found.caller.join(', ')}`,
    );
  }
  if (!isCallerValue(token.caller)) throw invalidField('/token/caller', 'must be 1 to 120 printable ASCII characters');
  const caller = { name: found.name, issuer: found.issuer, claim, value: token.caller };
  if (owner !== undefined && owner !== callerOwner(caller)) checkOwner(owner);
  const defaults = { defaultPlan: found.plan ?? defaultPlan, claims: found.caller };
  return { ...terms, ...defaults, caller, owner: owner ?? null, plan: plan ?? null, name: name ?? token.caller };
}

export interface CallerSettings {
  readonly issuers: readonly TokenIssuer[];
  readonly checkOwner: CheckOwner;
  readonly defaultPlan: string;
}

function unknownIssuer(name: string, issuers: readonly TokenIssuer[]): string {
  const names = issuers.map((each) => each.name);
  if (names.length === 0) return 'must be the name of a token issuer: the configuration has none (setting tokens)';
  const like = findNearest(name, names);
  return `must be the name of a token issuer${like === null ? `: ${names.join(', ')}` : `: did you mean "${like}"?`}`;
}
