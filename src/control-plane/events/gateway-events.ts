import { z } from 'zod';
import { WINDOW_NAMES } from '../../domain/quota-limits.ts';
import { createRandomId } from '../../base/secrets.ts';
import type { Audience } from '../../openapi/event-type.ts';
import { GATEWAY, type NewEvent } from './event.ts';

export interface EventType<Data extends z.ZodType = z.ZodType> {
  readonly summary: string;
  readonly audience: Audience;
  readonly data: Data;
}

const dateTimeSchema = z.iso.datetime();
const limitsSchema = z.strictObject({ minute: z.int(), day: z.int(), month: z.int().exactOptional() });

const daysLeftSchema = z.int().describe('Days left, rounded up. Fewer than the notice period if the event is late');

const tokenSchema = z.strictObject({ name: z.string(), caller: z.string(), claim: z.string() });

const keySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  plan: z.string(),
  limits: limitsSchema.nullable().describe("The key's own limits. Null unless its plan is custom"),
  kind: z.enum(['secret', 'foreign', 'token']).describe('`token`: a caller with access tokens, without a secret'),
  token: tokenSchema.nullable().describe('The caller of a key of kind `token`. Null for the other kinds'),
  prefix: z.string(),
  lastFour: z.string(),
  expiresAt: dateTimeSchema.nullable(),
});

const holderSchema = z
  .strictObject({ reason: z.string().nullable().describe('What they gave as the reason: text of a stranger') })
  .nullable()
  .describe('Set if the key was revoked by means of its own secret. Null: its owner or an operator revoked it');

const banSchema = z.strictObject({
  keyId: z.string().describe('The key that was used, or that an operator specified'),
  quotaId: z.string().describe('The banned quota. It may be shared by several keys'),
  from: dateTimeSchema,
  until: dateTimeSchema,
  level: z
    .int()
    .describe('Number of automatic bans not yet forgiven, including this one. Each makes the next one longer'),
  manual: z.boolean().describe('Whether an operator started the ban'),
  reason: z.string().nullable().describe('Why the ban was started or lifted: for operators only. Null for consumers'),
  message: z.string().nullable().describe('What the consumer is told about it. Null: nothing'),
});

const operationSchema = z.strictObject({
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  deprecatedAt: dateTimeSchema.nullable(),
  sunsetAt: dateTimeSchema.nullable(),
  successor: z.string().nullable().describe('What to call instead'),
});

const termsSchema = z.strictObject({
  plan: z.string(),
  limits: limitsSchema.nullable().describe('Null if each key of the plan has its own limits'),
  concurrent: z
    .int()
    .nullable()
    .describe('How many requests may be in flight at once, on one gateway. Null: any number'),
  operations: z
    .array(z.string())
    .nullable()
    .describe(
      'The operations that the plan includes: ids, and tag:NAME for all operations with that tag. Null: all operations',
    ),
  keyOperations: z
    .array(z.string())
    .nullable()
    .describe('The operations of the plan to which the key is restricted. Null: all of them'),
});

const planRequestSchema = z.strictObject({
  id: z.string(),
  accountId: z.string(),
  plan: z.string().describe('The requested plan'),
  message: z.string(),
  reason: z.string().nullable().describe('The reason given by the operator'),
});

/**
 * All event types of the gateway itself, with their audience. The event types of services are in the documents of the
 * services.
 */
export const gatewayEvents = {
  'key.created': defineEventType('owner', 'A key was created.', keySchema),
  'key.rotated': defineEventType(
    'owner',
    'A key was replaced by a new one with the same quota.',
    z.strictObject({
      key: keySchema.describe('The new key'),
      replaced: z.strictObject({
        id: z.string(),
        expiresAt: dateTimeSchema.describe('When the old key expires, at the latest'),
        graceUntil: z
          .literal('quiet')
          .nullable()
          .describe('`quiet`: the old key expires earlier, once it is no longer used. Null: it expires at `expiresAt`'),
      }),
    }),
  ),
  'key.retired': defineEventType(
    'owner',
    'A rotated key has expired, because it was no longer used or its deadline passed.',
    keySchema.extend({
      replacedBy: z.string().describe('The id of the new key'),
      lastUsedAt: dateTimeSchema.nullable().describe('Accurate to the minute. Null: never'),
      cause: z
        .enum(['quiet', 'latest_end'])
        .describe('`quiet`: it was no longer used. `latest_end`: it reached its deadline'),
    }),
  ),
  'key.revoked': defineEventType('owner', 'A key was permanently revoked.', keySchema.extend({ holder: holderSchema })),
  'key.expiring': defineEventType(
    'owner',
    'A key will expire soon. Sent 7 days and 1 day before.',
    keySchema.extend({ daysLeft: daysLeftSchema }),
  ),
  'key.address_refused': defineEventType(
    'owner',
    'A key was used from an address that it does not allow. Sent at most once an hour for each key.',
    z.strictObject({ keyId: z.string(), address: z.string().describe('Where the call came from') }),
  ),
  'key.banned': defineEventType('owner', 'A key was banned, along with all keys that share its quota.', banSchema),
  'key.unbanned': defineEventType(
    'owner',
    'An operator lifted a ban. A ban that ends by itself causes no event.',
    banSchema,
  ),
  'quota.threshold': defineEventType(
    'owner',
    'A window of a quota is 80% used, or full. Sent once for each window and level.',
    z.strictObject({
      keyId: z.string().describe('The key of the call'),
      quotaId: z.string(),
      plan: z.string(),
      window: z.enum(WINDOW_NAMES),
      level: z
        .literal([80, 100])
        .describe('In percent. Also 100 if a call was refused because too few units were left'),
      used: z.int(),
      limit: z.int(),
      resetsAt: dateTimeSchema,
      shadow: z.boolean().describe('Whether the plan is in shadow mode, in which nothing is refused'),
    }),
  ),
  'plan.changed': defineEventType(
    'plan',
    "A plan's limits or operations have changed, or a key's plan, limits or operations.",
    z.strictObject({
      keyId: z.string().nullable().describe('The key that changed. Null: all keys of the plan'),
      before: termsSchema,
      after: termsSchema,
    }),
  ),
  'operation.deprecated': defineEventType('everyone', 'An operation is now deprecated.', operationSchema),
  'operation.sunset_soon': defineEventType(
    'owner',
    'An operation that was called with your keys will be removed. Sent 30 days, 7 days and 1 day before.',
    operationSchema.extend({
      daysLeft: daysLeftSchema,
      keys: z
        .array(z.strictObject({ id: z.string(), name: z.string(), lastCalledAt: dateTimeSchema }))
        .describe('The most recent callers, at most 50'),
      keyCount: z.int().describe('The number of active keys that have called it'),
    }),
  ),
  'operation.invalid_call': defineEventType(
    'owner',
    'A call did not fit the description of its operation. Sent once a day for each operation and rule.',
    z.strictObject({
      operation: z.string(),
      method: z.string(),
      path: z.string(),
      keyId: z.string().describe('The key of the call'),
      rule: z.string().describe('The check that failed, such as `required` or `maximum`'),
      place: z
        .string()
        .describe(
          'Where: `/query/limit`, `/path/petId`, `/header/NAME`, `/cookie/NAME`, or in the body, such as `/name`',
        ),
      message: z.string().describe('What the description requires'),
      refused: z.boolean().describe('Whether such calls are refused'),
    }),
  ),
  'plan_request.created': defineEventType('owner', 'An account requested another plan.', planRequestSchema),
  'plan_request.approved': defineEventType('owner', 'A request for a plan was approved.', planRequestSchema),
  'plan_request.declined': defineEventType('owner', 'A request for a plan was declined.', planRequestSchema),
  'account_request.created': defineEventType(
    'operators',
    'Somebody without an account requested one in the portal.',
    z.strictObject({
      id: z.string(),
      name: z.string(),
      email: z.string().describe('As entered, not verified'),
      purpose: z.string().describe('What they want to build'),
      plan: z.string(),
    }),
  ),
  'webhook.disabled': defineEventType(
    'owner',
    'The gateway disabled a webhook, because every attempt failed for 5 days or its endpoint responded with 410. Not sent when a person disables it.',
    z.strictObject({ id: z.string(), url: z.string(), reason: z.enum(['failing', 'gone']) }),
  ),
  'webhook.test': defineEventType('owner', 'A test event, sent on request.', z.strictObject({ webhookId: z.string() })),
  'store.degraded': defineEventType(
    'operators',
    'A gateway cannot reach the shared counters, and enforces limits on its own.',
    z.strictObject({ host: z.string(), reason: z.string() }),
  ),
  'store.recovered': defineEventType(
    'operators',
    'A gateway can reach the shared counters again.',
    z.strictObject({ host: z.string(), degradedForMs: z.int() }),
  ),
} as const satisfies Readonly<Record<string, EventType>>;

export type GatewayEventName = keyof typeof gatewayEvents;
export type GatewayEventData<Name extends GatewayEventName> = z.infer<(typeof gatewayEvents)[Name]['data']>;

function defineEventType<Data extends z.ZodType>(audience: Audience, summary: string, data: Data): EventType<Data> {
  return { audience, summary, data };
}

/** The subject and time of an event. */
type EventContext = Pick<NewEvent, 'subject' | 'owner' | 'at' | 'uniqueKey'>;

/** @throws ZodError if the data does not match the catalog, which is a bug in this program */
export function createGatewayEvent<Name extends GatewayEventName>(
  type: Name,
  data: GatewayEventData<Name>,
  { subject, owner, at, uniqueKey }: EventContext,
): NewEvent {
  const id = createRandomId('evt');
  return { id, type, subject, owner, at, uniqueKey, source: GATEWAY, data: gatewayEvents[type].data.parse(data) };
}
