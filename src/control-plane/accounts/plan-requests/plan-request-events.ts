import type { NewEvent } from '../../events/event.ts';
import { gatewayEvent } from '../../events/gateway-events.ts';
import type { PlanRequest } from './plan-request.ts';

type Told = 'plan_request.created' | 'plan_request.approved' | 'plan_request.declined';

/** Tells the owner of the account about a request. @param at ms since the Unix epoch */
export function planRequestEvent(type: Told, request: PlanRequest, owner: string, at: number): NewEvent {
  const { id, accountId, plan, message, reason } = request;
  return gatewayEvent(type, { id, accountId, plan, message, reason }, { subject: id, owner, at });
}
