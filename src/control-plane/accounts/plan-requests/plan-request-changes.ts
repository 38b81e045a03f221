import { audited } from '../../registry/audit/audit-log.ts';
import { randomId } from '../../../base/secrets/random-id.ts';
import { publish } from '../../events/outbox.ts';
import { planById } from '../../registry/plans/plan-rows.ts';
import { RegistryError } from '../../../base/records/registry-error.ts';
import type { WriteContext } from '../../registry/write-context.ts';
import { updateAccount } from '../account-changes.ts';
import { checkAccountPlan, checkActive } from '../account-rules.ts';
import { lockedAccount } from '../locked-account.ts';
import type { Account } from '../account.ts';
import type { NewPlanRequest, PlanRequest } from './plan-request.ts';
import { planRequestEvent } from './plan-request-events.ts';
import { deleteRequest, insertRequest, openRequest, requestById, writeDecision } from './plan-request-rows.ts';

export async function createRequest(
  context: WriteContext,
  accountId: string,
  { plan, message }: NewPlanRequest,
): Promise<PlanRequest> {
  const { tx, change } = context;
  const account = await lockedAccount(context, accountId);
  checkActive(account);
  checkAccountPlan(plan, await planById(tx, plan));
  if (account.plan === plan) throw new RegistryError('conflict', `account ${accountId} has plan ${plan} already`);
  const open = await openRequest(tx, accountId);
  if (open !== null) {
    throw new RegistryError('plan_request_open', `account ${accountId} has asked for plan ${open.plan} already`);
  }
  const request = { id: randomId('plr'), accountId, plan, message, status: 'open', createdAt: change.at } as const;
  const stored = { ...request, reason: null, decidedAt: null, decidedBy: null };
  await insertRequest(tx, stored);
  await audited(context, stored.id, 'plan_request.create', { after: { accountId, plan, message } });
  await publish(context, [planRequestEvent('plan_request.created', stored, account.owner, change.at)]);
  return stored;
}

/** @param accountId whose it must be */
export async function withdrawRequest(context: WriteContext, accountId: string, id: string): Promise<void> {
  const { plan, message } = (await lockedRequest(context, id, accountId)).request;
  await deleteRequest(context.tx, id);
  await audited(context, id, 'plan_request.withdraw', { before: { accountId, plan, message } });
}

export async function approveRequest(context: WriteContext, id: string): Promise<PlanRequest> {
  const locked = await lockedRequest(context, id);
  await updateAccount(context, locked.account.id, { plan: locked.request.plan }, {});
  return decide(context, locked, 'approved');
}

export async function declineRequest(context: WriteContext, id: string): Promise<PlanRequest> {
  return decide(context, await lockedRequest(context, id), 'declined');
}

interface LockedRequest {
  readonly request: PlanRequest;
  readonly account: Account;
}

/** The open request, with its account locked: nobody else decides it until this transaction ends. */
async function lockedRequest(context: WriteContext, id: string, accountId?: string): Promise<LockedRequest> {
  const found = await requestById(context.tx, id);
  if (found === null || (accountId !== undefined && found.accountId !== accountId)) throw notFound(id);
  const account = await lockedAccount(context, found.accountId);
  const request = await requestById(context.tx, id);
  if (request === null) throw notFound(id);
  if (request.status !== 'open') throw new RegistryError('conflict', `request ${id} is ${request.status} already`);
  return { request, account };
}

async function decide(
  context: WriteContext,
  { request, account }: LockedRequest,
  status: 'approved' | 'declined',
): Promise<PlanRequest> {
  const { actor, reason, at } = context.change;
  const decided = { ...request, status, reason, decidedAt: at, decidedBy: actor };
  await writeDecision(context.tx, decided);
  const action = status === 'approved' ? 'plan_request.approve' : 'plan_request.decline';
  const { accountId, plan } = request;
  await audited(context, request.id, action, { before: { status: 'open' }, after: { status, accountId, plan } });
  await publish(context, [planRequestEvent(`plan_request.${status}`, decided, account.owner, at)]);
  return decided;
}

function notFound(id: string): RegistryError {
  return new RegistryError('plan_request_not_found', `there is no plan request ${id}`);
}
