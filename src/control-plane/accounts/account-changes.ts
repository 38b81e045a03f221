import { RegistryError } from '../../domain/registry-error.ts';
import { createRandomId } from '../../base/secrets.ts';
import { appendAuditEntry, diffFields } from '../registry/audit-log.ts';
import { isCallerOwner } from '../registry/key-rows.ts';
import { findPlanById, PLANS_LOCK } from '../registry/plan-rows.ts';
import { checkRevision, type WriteContext } from '../registry/write-context.ts';
import {
  type Account,
  type AccountPatch,
  type AccountUpdateOptions,
  checkAccountPlan,
  type NewAccount,
} from './account.ts';
import { moveKeys, revokeKeys } from './account-keys.ts';
import {
  findAccountBy,
  ACCOUNTS_LOCK,
  deleteAccess,
  deleteAccountRows,
  insertAccount,
  lockAccount,
  writeAccount,
} from './account-rows.ts';

/**
 * Returns the fields of an account. It receives the new id, because an account that gets an owner of its own uses its id
 * as the owner.
 */
type CreateAccountFields = (id: string) => NewAccount;

export async function createAccount(context: WriteContext, createFields: CreateAccountFields): Promise<Account> {
  const { tx, dialect, change } = context;
  await dialect.lock(tx, ACCOUNTS_LOCK);
  const id = createRandomId('acc');
  const { owner, name, plan, ...rest } = createFields(id);
  const email = toLowerCase(rest.email);
  await checkOwner(context, owner);
  await checkEmail(context, id, email);
  await checkPlan(context, plan);
  const initialFields = { status: 'active', quotaId: id, createdAt: change.at, lastSignInAt: null } as const;
  const account = { id, owner, name, email, plan, ...initialFields, revision: 0 };
  const stored = {
    ...account,
    revision: await appendAuditEntry(context, id, 'account.create', { after: toAuditFields(account) }),
  };
  await insertAccount(tx, stored);
  return stored;
}

export async function updateAccount(
  context: WriteContext,
  id: string,
  patch: AccountPatch,
  { revision }: AccountUpdateOptions,
): Promise<Account> {
  const { tx, dialect } = context;
  if (patch.email !== undefined) await dialect.lock(tx, ACCOUNTS_LOCK);
  const before = await lockAccount(context, id);
  checkRevision(`account ${id}`, before.revision, revision);
  const { name, email, plan, status } = { ...before, ...patch };
  const after = { ...before, name, email: toLowerCase(email), plan, status };
  if (after.email !== before.email) await checkEmail(context, id, after.email);
  if (after.plan !== before.plan) await checkPlan(context, after.plan);
  const changes = diffFields(toAuditFields(before), toAuditFields(after));
  if (changes === null) return before;
  const stored = { ...after, revision: await appendAuditEntry(context, id, 'account.update', changes) };
  await writeAccount(tx, stored);
  if (after.plan !== before.plan) await moveKeys(context, stored);
  if (after.status === 'disabled') await deleteAccess(tx, id);
  return stored;
}

export async function deleteAccount(
  context: WriteContext,
  id: string,
  { revision }: AccountUpdateOptions,
): Promise<void> {
  const account = await lockAccount(context, id);
  checkRevision(`account ${id}`, account.revision, revision);
  await revokeKeys(context, account);
  await deleteAccountRows(context.tx, id);
  await appendAuditEntry(context, id, 'account.delete', { before: toAuditFields(account) });
}

async function checkOwner({ tx }: WriteContext, owner: string): Promise<void> {
  if ((await findAccountBy(tx, 'owner', owner)) !== null) {
    throw new RegistryError('owner_taken', `another account already has the owner ${owner}`);
  }
  if (await isCallerOwner(tx, owner)) {
    throw new RegistryError('owner_taken', `a caller with access tokens already has the owner ${owner}`);
  }
}

async function checkEmail({ tx }: WriteContext, id: string, email: string | null): Promise<void> {
  if (email === null) return;
  const holder = await findAccountBy(tx, 'email', email);
  if (holder !== null && holder.id !== id) {
    throw new RegistryError('email_taken', `account ${holder.id} already has the email address ${email}`);
  }
}

async function checkPlan({ tx, dialect }: WriteContext, plan: string): Promise<void> {
  await dialect.lockShared(tx, PLANS_LOCK);
  checkAccountPlan(plan, await findPlanById(tx, plan));
}

function toLowerCase(email: string | null): string | null {
  return email === null ? null : email.toLowerCase();
}

/**
 * Fields of an account that the audit log shows. The last sign-in is not shown, because it is not a change by an
 * operator.
 */
function toAuditFields({ lastSignInAt, revision, ...fields }: Account): Readonly<Record<string, unknown>> {
  return fields;
}
