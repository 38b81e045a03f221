import { toDateTime } from '../../base/time.ts';
import type { Delivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A webhook and its deliveries as both APIs tell them. */

export function webhookJson({ revision, ...webhook }: Webhook) {
  const { disabledAt, failingSince, previousSecretUntil, createdAt } = webhook;
  return {
    ...webhook,
    disabledAt: dateTimeOrNull(disabledAt),
    failingSince: dateTimeOrNull(failingSince),
    previousSecretUntil: dateTimeOrNull(previousSecretUntil),
    createdAt: toDateTime(createdAt),
  };
}

export function deliveryJson({ dueAt, createdAt, endedAt, attempts, ...same }: Delivery) {
  return {
    ...same,
    dueAt: dateTimeOrNull(dueAt),
    createdAt: toDateTime(createdAt),
    endedAt: dateTimeOrNull(endedAt),
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: toDateTime(at) })),
  };
}

function dateTimeOrNull(millis: number | null): string | null {
  return millis === null ? null : toDateTime(millis);
}
