import { toDateTime } from '../../base/time.ts';
import type { Delivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A webhook and its deliveries as both APIs return them. */

export function webhookJson({ revision, ...webhook }: Webhook) {
  const { disabledAt, failingSince, previousSecretUntil, createdAt } = webhook;
  return {
    ...webhook,
    disabledAt: toDateTime(disabledAt),
    failingSince: toDateTime(failingSince),
    previousSecretUntil: toDateTime(previousSecretUntil),
    createdAt: toDateTime(createdAt),
  };
}

export function deliveryJson({ dueAt, createdAt, endedAt, attempts, ...same }: Delivery) {
  return {
    ...same,
    dueAt: toDateTime(dueAt),
    createdAt: toDateTime(createdAt),
    endedAt: toDateTime(endedAt),
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: toDateTime(at) })),
  };
}
