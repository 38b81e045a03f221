import { type SqlBool, sql } from 'kysely';
import type { CallerRefusal, RegisterCallerOptions } from '../../data-plane/boundary-types.ts';
import type { Credential } from '../../domain/credential.ts';
import { generateKeyId } from '../../domain/key-format.ts';
import { RegistryError } from '../../domain/registry-error.ts';
import { callerOwner, hashCaller, type TokenCaller } from '../../domain/token-caller.ts';
import type { Database } from '../../storage/database.ts';
import type { Queries, Tx } from '../../storage/tables.ts';
import type { ChangeContext } from '../registry/audit-log.ts';
import { createKeys } from '../registry/key-changes.ts';
import { findCredentialByHash, toKey } from '../registry/key-rows.ts';
import { type EditableKey, type Key, type NewKey, UNRESTRICTED } from '../registry/key.ts';
import { findPlanById, PLANS_LOCK } from '../registry/plan-rows.ts';
import { makeChange, type WriteContext } from '../registry/write-context.ts';
import { type Account, checkActive } from './account.ts';
import { findBoundAccount } from './account-identities.ts';
import { findAccountBy, formatAccountLock, lockAccount } from './account-rows.ts';

/**
 * Callers with access tokens: keys without a secret. A caller belongs to an account only if it is the user who signs in
 * to the account, or if an operator gave it the account's owner. Only then does it share the account's quota.
 */

/** The claim with which identity providers name users. With the issuer, its value is an identity of the portal. */
const SUBJECT_CLAIM = 'sub';
/** Both claims name the client that a token was issued to, so equal values are no conflict. */
const CLIENT_CLAIMS: ReadonlySet<string> = new Set(['azp', 'client_id']);

/** The key of a caller that an operator adds. Owner and plan have defaults. */
export interface NewCaller extends Omit<EditableKey, 'plan'> {
  readonly caller: Pick<TokenCaller, 'name' | 'issuer' | 'claim' | 'value'>;
  readonly owner: string | null;
  readonly plan: string | null;
  /** The plan of callers that belong to no account. */
  readonly defaultPlan: string;
  /** `tokens[].caller`: the claims that name callers. */
  readonly claims: readonly string[];
}

/** See `CallerSource.registerCaller`. */
export async function registerCaller(
  database: Database,
  caller: TokenCaller,
  options: RegisterCallerOptions,
): Promise<Credential | CallerRefusal> {
  const hash = hashCaller(caller);
  const change = { actor: 'system', reason: 'first access token of this caller', at: options.now };
  const refusal = await makeChange(database, change, (context) => addFromToken(context, caller, options));
  if (refusal !== null) return refusal;
  const credential = await database.lookUp((queries) => findCredentialByHash(queries, hash));
  // Between the two transactions, an operator may have deleted the caller. The next request creates it again.
  if (credential === null) return 'deleted';
  // An operator may have imported a secret with this hash. A token must not find its key.
  return credential.kind === 'token' ? credential : 'owner_taken';
}

/** @returns null if the caller exists afterwards */
async function addFromToken(
  context: WriteContext,
  caller: TokenCaller,
  { plan: defaultPlan, maxCallers, claims }: RegisterCallerOptions,
): Promise<CallerRefusal | null> {
  const { tx } = context;
  await lockCallers(context, caller.issuer);
  if ((await findCaller(tx, caller)) !== null) return null;
  if ((await countCallers(tx, caller.issuer, maxCallers)) >= maxCallers) return 'too_many';
  const account = await findSubjectAccount(context, caller);
  if (account?.status === 'disabled') return 'account_disabled';
  if (account === null && (await isOwnerTaken(tx, caller, claims))) return 'owner_taken';
  await context.dialect.lockShared(tx, PLANS_LOCK);
  const plan = account?.plan ?? (await findClaimedPlan(tx, caller)) ?? defaultPlan;
  if (!(await isPlanWithLimits(tx, plan))) return 'no_plan';
  const terms = { ...UNRESTRICTED, name: caller.value, plan, expiresAt: null, metadata: {} };
  const owner = account?.owner ?? callerOwner(caller);
  await createKeys(context, [toNewKey(caller, { ...terms, owner }, account, context.change.at)]);
  return null;
}

/**
 * Adds a caller before its first token.
 *
 * @throws RegistryError `conflict` if the caller exists, or its account is disabled; and like `Registry.createKey`
 */
export function addCaller(database: Database, given: NewCaller, change: ChangeContext): Promise<Key> {
  return makeChange(database, change, async (context) => {
    const { caller, defaultPlan, claims, owner: givenOwner, plan: givenPlan, ...terms } = given;
    await lockCallers(context, caller.issuer);
    const existing = await findCaller(context.tx, caller);
    if (existing !== null) throw new RegistryError('conflict', `the caller exists already: it is key ${existing.id}`);
    const owner = givenOwner ?? callerOwner(caller);
    if (owner === callerOwner(caller) && (await isOwnerTaken(context.tx, caller, claims))) {
      const message = `an account, a key or another caller already has the owner ${owner}: give the caller another owner`;
      throw new RegistryError('conflict', message);
    }
    const found = await findAccountBy(context.tx, 'owner', owner);
    const account = found === null ? null : await lockAccount(context, found.id);
    if (account !== null) checkActive(account);
    const plan = givenPlan ?? account?.plan ?? defaultPlan;
    const key = toNewKey(caller, { ...terms, owner, plan }, account, context.change.at);
    const [stored] = await createKeys(context, [key]);
    return stored!;
  });
}

function toNewKey(
  { name, issuer, claim, value }: Pick<TokenCaller, 'name' | 'issuer' | 'claim' | 'value'>,
  terms: EditableKey & Pick<Key, 'owner'>,
  account: Account | null,
  createdAt: number,
): NewKey {
  const id = generateKeyId();
  return {
    ...terms,
    id,
    kind: 'token',
    token: { name, issuer, claim, caller: value },
    hash: hashCaller({ issuer, claim, value }),
    prefix: '',
    lastFour: '',
    externalId: null,
    status: 'active',
    createdAt,
    quotaId: account?.quotaId ?? id,
  };
}

/** Callers of one issuer are created one after the other, so that each is created once and `maxCallers` is exact. */
async function lockCallers({ tx, dialect }: WriteContext, issuer: string): Promise<void> {
  await dialect.lock(tx, `callers:${issuer}`);
}

async function findCaller(queries: Queries, caller: Pick<TokenCaller, 'issuer' | 'claim' | 'value'>) {
  const keys = queries.selectFrom('keys').selectAll().where('hash', '=', hashCaller(caller));
  const row = await keys.executeTakeFirst();
  return row === undefined ? null : toKey(row);
}

async function countCallers(queries: Queries, issuer: string, limit: number): Promise<number> {
  const callers = queries.selectFrom('keys').select('sequence').where('token_issuer', '=', issuer).limit(limit);
  const counted = queries.selectFrom(callers.as('callers')).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** The account that the caller signs in to. A token of an app that acts for this user names another caller: the app. */
async function findSubjectAccount(context: WriteContext, caller: TokenCaller): Promise<Account | null> {
  const { issuer, claim, value: subject } = caller;
  if (claim !== SUBJECT_CLAIM || subject !== caller.subject) return null;
  const account = await findBoundAccount(context.tx, { issuer, subject });
  if (account === null) return null;
  await context.dialect.lock(context.tx, formatAccountLock(account.id));
  // The account may have been deleted before it was locked.
  return findBoundAccount(context.tx, { issuer, subject });
}

/**
 * Whether somebody else has the caller's owner. Services identify consumers by it, so an account, a key with a secret,
 * and a caller that another claim names (a user whose `sub` equals a client's id) must not share it. A caller that
 * another issuer, or a claim no longer configured, named is the same consumer as before.
 */
async function isOwnerTaken(
  queries: Queries,
  caller: Pick<TokenCaller, 'name' | 'issuer' | 'claim' | 'value'>,
  claims: readonly string[],
): Promise<boolean> {
  const owner = callerOwner(caller);
  if ((await findAccountBy(queries, 'owner', owner)) !== null) return true;
  const keys = queries.selectFrom('keys').select(['token_issuer', 'token_claim']).where('owner', '=', owner);
  const others = await keys
    .where(sql<SqlBool>`(status <> 'revoked' OR token_issuer IS NOT NULL)`)
    .limit(100)
    .execute();
  return others.some(({ token_issuer: issuer, token_claim: claim }) => {
    if (issuer === null || claim === null) return true;
    const isSameClient = CLIENT_CLAIMS.has(claim) && CLIENT_CLAIMS.has(caller.claim);
    return issuer === caller.issuer && claims.includes(claim) && !isSameClient;
  });
}

async function findClaimedPlan(tx: Tx, { planFromClaim: plan }: TokenCaller): Promise<string | null> {
  return plan !== null && (await isPlanWithLimits(tx, plan)) ? plan : null;
}

/** A key on a custom plan needs limits of its own, and a token has none. */
async function isPlanWithLimits(tx: Tx, id: string): Promise<boolean> {
  const plan = await findPlanById(tx, id);
  return plan !== null && !plan.custom;
}
