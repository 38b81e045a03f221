import { toDateTime } from '../../base/date-time.ts';
import { DAY_MS } from '../../base/durations.ts';
import { gatewayEvent, type GatewayEventData } from '../events/gateway-events.ts';
import type { Operation } from '../../openapi/openapi.ts';
import type { Notice, Notices } from './notices.ts';

/**
 * How late a deprecation is told. A document that is served for the first time, or a gateway that is started for the
 * first time, would otherwise tell of everything that was deprecated years ago as if it were new.
 */
const MAX_LATE_MS = 7 * DAY_MS;

/** Operations whose life is told of. */
export type LivingOperation = Pick<Operation, 'id' | 'method' | 'path' | 'lifecycle'>;

/** Tells of operations that are deprecated since a date that has come: one without a date has none to tell. */
export async function tellOfDeprecations(
  operations: readonly LivingOperation[],
  notices: Notices,
  now: number,
): Promise<void> {
  await notices.tell(operations.flatMap((operation) => noticeOf(operation, now)));
}

function noticeOf(operation: LivingOperation, now: number): Notice[] {
  const { id, lifecycle } = operation;
  const { deprecatedAt, sunsetAt } = lifecycle;
  const isNews = deprecatedAt !== null && deprecatedAt <= now && now - deprecatedAt < MAX_LATE_MS;
  if (!isNews || (sunsetAt !== null && sunsetAt <= now)) return [];
  const uniqueKey = `operation.deprecated ${id} ${deprecatedAt}`;
  const about = { subject: id, owner: null, at: now };
  return [{ ...gatewayEvent('operation.deprecated', operationData(operation), about), uniqueKey }];
}

export function operationData({
  id,
  method,
  path,
  lifecycle,
}: LivingOperation): GatewayEventData<'operation.deprecated'> {
  const { deprecatedAt, sunsetAt, successor } = lifecycle;
  const time = (millis: number | null) => (millis === null ? null : toDateTime(millis));
  return { operation: id, method, path, deprecatedAt: time(deprecatedAt), sunsetAt: time(sunsetAt), successor };
}
