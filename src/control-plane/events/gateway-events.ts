import { z } from 'zod';
import { randomId } from '../../base/secrets.ts';
import type { Audience } from '../../openapi/event-type.ts';
import { GATEWAY, type NewEvent } from './event.ts';

export interface EventType<Data extends z.ZodType = z.ZodType> {
  readonly summary: string;
  readonly audience: Audience;
  readonly data: Data;
}

const dateTime = z.iso.datetime();
const limits = z.strictObject({ minute: z.int(), day: z.int() });

const daysLeft = z.int().describe('Rounded up; less than the notice if it is told late');

const key = z.strictObject({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  plan: z.string(),
  limits: limits.nullable().describe("The key's own limits; null unless its plan is custom"),
  prefix: z.string(),
  lastFour: z.string(),
  expiresAt: dateTime.nullable(),
});

const ban = z.strictObject({
  keyId: z.string().describe('The key that was used, or that an operator named'),
  quotaId: z.string().describe('The quota that is banned: that of all keys which share it'),
  from: dateTime,
  until: dateTime,
  level: z.int().describe('Automatic bans that are not forgiven yet, with this one: each makes the next one longer'),
  manual: z.boolean().describe('Whether an operator set it'),
  reason: z.string().nullable().describe('Why it was set, or lifted'),
});

const operation = z.strictObject({
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  deprecatedAt: dateTime.nullable(),
  sunsetAt: dateTime.nullable(),
  successor: z.string().nullable().describe('What to call instead'),
});

const terms = z.strictObject({
  plan: z.string(),
  limits: limits.nullable().describe('Null if each key of the plan has its own'),
});

const planRequest = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  plan: z.string().describe('The plan asked for'),
  message: z.string(),
  reason: z.string().nullable().describe('What the operator answered'),
});

/** Every event of the gateway itself: its name, what it says, and who may see it. Those of services are in their documents. */
export const gatewayEvents = {
  'key.created': told('owner', 'A key was made.', key),
  'key.rotated': told(
    'owner',
    'A key was replaced by another one, which has its quota.',
    z.strictObject({
      key: key.describe('The new key'),
      replaced: z.strictObject({ id: z.string(), expiresAt: dateTime }),
    }),
  ),
  'key.revoked': told('owner', 'A key was revoked: it will never work again.', key),
  'key.expiring': told('owner', 'A key will expire: 7 days before, and 1 day before.', key.extend({ daysLeft })),
  'key.banned': told('owner', 'A quota was banned for a time.', ban),
  'key.unbanned': told('owner', 'An operator lifted a ban. One that ends by itself ends as it said.', ban),
  'quota.threshold': told(
    'owner',
    'A window of a quota is 80 % used, or full: once each for every window.',
    z.strictObject({
      keyId: z.string().describe('The key whose call it was'),
      quotaId: z.string(),
      plan: z.string(),
      window: z.enum(['minute', 'day']),
      level: z.literal([80, 100]).describe('Percent; 100 also if the window refused a call for which it had no room'),
      used: z.int(),
      limit: z.int(),
      resetsAt: dateTime,
      shadow: z.boolean().describe('Whether the plan only watches: nothing is refused'),
    }),
  ),
  'plan.changed': told(
    'plan',
    'A plan has other limits, or a key has another plan or other limits of its own.',
    z.strictObject({
      keyId: z.string().nullable().describe('The key whose terms changed; null: those of all keys of the plan'),
      before: terms,
      after: terms,
    }),
  ),
  'operation.deprecated': told('everyone', 'An operation is deprecated from now on.', operation),
  'operation.sunset_soon': told(
    'owner',
    'An operation that was called with your keys will end: 30 days, 7 days and 1 day before.',
    operation.extend({
      daysLeft,
      keys: z
        .array(z.strictObject({ id: z.string(), name: z.string(), lastCalledAt: dateTime }))
        .describe('Those that called it last, at most 50'),
      keyCount: z.int().describe('How many of the keys that still work called it'),
    }),
  ),
  'plan_request.created': told('owner', 'Somebody asked for another plan.', planRequest),
  'plan_request.approved': told('owner', 'A plan that was asked for was given.', planRequest),
  'plan_request.declined': told('owner', 'A plan that was asked for was not given.', planRequest),
  'webhook.disabled': told(
    'owner',
    'A webhook was disabled, because every attempt failed for 5 days or its service answered 410.',
    z.strictObject({ id: z.string(), url: z.string(), reason: z.enum(['failing', 'gone']) }),
  ),
  'webhook.test': told('owner', 'Somebody tries a webhook.', z.strictObject({ webhookId: z.string() })),
  'store.degraded': told(
    'operators',
    'A gateway cannot reach the shared store of counters, and decides on its own.',
    z.strictObject({ host: z.string(), reason: z.string() }),
  ),
  'store.recovered': told(
    'operators',
    'A gateway reaches the shared store of counters again.',
    z.strictObject({ host: z.string(), degradedForMs: z.int() }),
  ),
} as const satisfies Readonly<Record<string, EventType>>;

export type GatewayEventName = keyof typeof gatewayEvents;
export type GatewayEventData<Name extends GatewayEventName> = z.infer<(typeof gatewayEvents)[Name]['data']>;

function told<Data extends z.ZodType>(audience: Audience, summary: string, data: Data): EventType<Data> {
  return { audience, summary, data };
}

/** What an event is about, and when it was. */
export type About = Pick<NewEvent, 'subject' | 'owner' | 'at' | 'uniqueKey'>;

/** @throws ZodError if the data are not what the catalogue says: the mistake is in this program */
export function gatewayEvent<Name extends GatewayEventName>(
  type: Name,
  data: GatewayEventData<Name>,
  { subject, owner, at, uniqueKey }: About,
): NewEvent {
  const id = randomId('evt');
  return { id, type, subject, owner, at, uniqueKey, source: GATEWAY, data: gatewayEvents[type].data.parse(data) };
}
