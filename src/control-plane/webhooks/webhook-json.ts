import { toDateTime } from '../../base/time.ts';
import type { Delivery } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** A webhook and its deliveries as both APIs return them. */

export function toWebhookJson({ revision, ...webhook }: Webhook) {
  const { disabledAt, failingSince, previousSecretUntil, createdAt } = webhook;
  return {
    ...webhook,
    disabledAt: toDateTime(disabledAt),
    failingSince: toDateTime(failingSince),
    previousSecretUntil: toDateTime(previousSecretUntil),
    createdAt: toDateTime(createdAt),
  };
}

export function toDeliveryJson({ dueAt, createdAt, endedAt, attempts, ...rest }: Delivery) {
  return {
    ...rest,
    dueAt: toDateTime(dueAt),
    createdAt: toDateTime(createdAt),
    endedAt: toDateTime(endedAt),
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: toDateTime(at) })),
  };
}
