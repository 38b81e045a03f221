import type { Queries } from '../../storage/tables.ts';
import { appendAuditEntry } from '../registry/audit-log.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { type Account, cleanName, normalizeEmail, type ProviderIdentity, type SignUp } from './account.ts';
import { createAccount } from './account-changes.ts';
import { findAccountBy, ACCOUNTS_LOCK } from './account-rows.ts';

// Users of an OpenID provider are identified by issuer and subject, because their names and addresses may later belong to
// other people.

/** Finds the account that an identity is bound to; null if it is not bound. */
export async function findBoundAccount(
  queries: Queries,
  { issuer, subject }: Pick<ProviderIdentity, 'issuer' | 'subject'>,
): Promise<Account | null> {
  const bound = queries.selectFrom('account_identities').select('account_id').where('issuer', '=', issuer);
  const row = await bound.where('subject', '=', subject).executeTakeFirst();
  return row === undefined ? null : findAccountBy(queries, 'id', row.account_id);
}

/**
 * Binds an identity to the account with its verified email address. If there is no such account and sign-up is open,
 * the identity is bound to a new account.
 *
 * @returns the account, even if another sign-in has bound the identity in the meantime; null if there is no account
 */
export async function bindIdentity(
  context: WriteContext,
  identity: ProviderIdentity,
  signUp: SignUp,
): Promise<Account | null> {
  const { tx, dialect } = context;
  await dialect.lock(tx, ACCOUNTS_LOCK);
  const bound = await findBoundAccount(tx, identity);
  if (bound !== null) return bound;
  const email = identity.emailVerified && identity.email !== null ? normalizeEmail(identity.email) : null;
  const holder = email === null ? null : await findAccountBy(tx, 'email', email);
  if (holder?.status === 'disabled') return null;
  const existing = holder === null || (await isBound(tx, holder.id, identity.issuer)) ? null : holder;
  const account = existing ?? (await signUpUser(context, identity, signUp, holder === null ? email : null));
  if (account === null) return null;
  const { issuer, subject } = identity;
  await tx.insertInto('account_identities').values({ issuer, subject, account_id: account.id }).execute();
  await appendAuditEntry(context, account.id, 'account.bind', { after: { issuer, subject } });
  return account;
}

/**
 * Whether an account is already bound to another user of this provider. If so, the provider has since given the
 * account's email address to a different person.
 */
async function isBound(queries: Queries, accountId: string, issuer: string): Promise<boolean> {
  const identities = queries.selectFrom('account_identities').select('subject').where('account_id', '=', accountId);
  return (await identities.where('issuer', '=', issuer).executeTakeFirst()) !== undefined;
}

async function signUpUser(
  context: WriteContext,
  identity: ProviderIdentity,
  { policy, plan }: SignUp,
  email: string | null,
): Promise<Account | null> {
  if (policy !== 'open') return null;
  const name = cleanName(identity.name) || email || 'New account';
  // The owner is the new id, because no key has that owner yet, and because logs and metrics must not show anything
  // about a person.
  return createAccount(context, (id) => ({ owner: id, name, email, plan }));
}
