import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { asDelivered } from '../../openapi/delivered-webhooks.ts';
import type { Audience } from '../../openapi/event-type.ts';
import { type EventType, type GatewayEventData, type GatewayEventName, gatewayEvents } from './gateway-events.ts';

const AUDIENCE_NOTES: Readonly<Record<Audience, string>> = {
  owner: 'Sent to the owner of the keys.',
  plan: 'Sent to everyone with the plan.',
  everyone: 'Sent to everyone.',
  operators: 'Sent to operators only.',
};

/**
 * The gateway's own events, as the `webhooks` of an OpenAPI document (3.1).
 *
 * @param audiences includes only the events for these audiences
 */
export function createGatewayWebhooks(audiences: readonly Audience[], tag: string): JsonObject {
  const includedTypes = Object.entries<EventType>(gatewayEvents).filter(([, { audience }]) =>
    audiences.includes(audience),
  );
  return Object.fromEntries(
    includedTypes.map(([name, type]) => [name, asDelivered(createWebhookDocument(name, type, tag))]),
  );
}

/** The operation id of the webhook for an event type. */
export function createOperationId(type: string): string {
  return `on_${type.replaceAll('.', '_')}`;
}

function createWebhookDocument(name: string, { summary, audience, data }: EventType, tag: string): JsonObject {
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: name },
      timestamp: { type: 'string', format: 'date-time', description: 'When the event happened' },
      data: toJsonSchema(data, simplifyForReceivers),
    },
  };
  return {
    post: {
      operationId: createOperationId(name),
      tags: [tag],
      summary,
      description: AUDIENCE_NOTES[audience],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'The event was accepted. After any other response, it is sent again.' } },
    },
  };
}

/** JSON Schemas (2020-12) of the `data` of the gateway's event types, each with an example, by the name of the type. */
export function createGatewayDataSchemas(): ReadonlyMap<string, JsonObject> {
  return new Map(
    Object.entries<EventType>(gatewayEvents).map(([name, { data }]) => [
      name,
      { ...toJsonSchema(data, simplify), examples: [gatewayExamples[name as GatewayEventName]] },
    ]),
  );
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function toJsonSchema(data: z.ZodType, simplifySchema: (schema: JsonSchema) => void): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(data, { override: ({ jsonSchema }) => simplifySchema(jsonSchema) });
  return schema;
}

/** Removes rules that only the gateway must follow, because receivers must tolerate fields that are added later. */
function simplifyForReceivers(schema: JsonSchema): void {
  delete schema.additionalProperties;
  simplify(schema);
}

/** Removes details that follow from the type or format, because they would only distract readers. */
function simplify(schema: JsonSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

type Examples = { readonly [Name in GatewayEventName]: GatewayEventData<Name> };

const exampleKey: GatewayEventData<'key.created'> = {
  id: 'key_7Hd93kQpLw0ZxVb5Tn2R',
  name: 'Shop backend',
  owner: 'acme',
  plan: 'free',
  limits: null,
  kind: 'secret',
  token: null,
  prefix: 'tg_live_4fQz',
  lastFour: 'b7Xk',
  expiresAt: null,
};

const exampleTerms: GatewayEventData<'plan.changed'>['after'] = {
  plan: 'free',
  limits: { minute: 60, day: 1000 },
  concurrent: null,
  operations: null,
  keyOperations: null,
};

const exampleBan: GatewayEventData<'key.banned'> = {
  keyId: exampleKey.id,
  quotaId: 'acc_4fQz81LmN0pXy7RtWvB2',
  from: '2026-11-22T09:00:20.000Z',
  until: '2026-11-22T09:01:20.000Z',
  level: 1,
  manual: false,
  reason: null,
  message: '10 calls without waiting for Retry-After',
};

const exampleOperation: GatewayEventData<'operation.deprecated'> = {
  operation: 'findPets',
  method: 'GET',
  path: '/pets/find',
  deprecatedAt: '2026-10-01T00:00:00.000Z',
  sunsetAt: '2027-03-31T00:00:00.000Z',
  successor: '/pets',
};

const examplePlanRequest: GatewayEventData<'plan_request.created'> = {
  id: 'plr_9kQpLw0ZxVb5Tn2R7Hd3',
  accountId: 'acc_4fQz81LmN0pXy7RtWvB2',
  plan: 'pro',
  message: 'We launch in December and expect 200 requests a minute.',
  reason: null,
};

/** Example data for each event type of the gateway, shown in documents. */
const gatewayExamples: Examples = {
  'key.created': exampleKey,
  'key.rotated': {
    key: exampleKey,
    replaced: { id: 'key_Zx0VbLw95Tn2RpQk7Hd3', expiresAt: '2026-12-22T09:00:00.000Z', graceUntil: 'quiet' },
  },
  'key.retired': {
    ...exampleKey,
    id: 'key_Zx0VbLw95Tn2RpQk7Hd3',
    expiresAt: '2026-12-02T09:10:00.000Z',
    replacedBy: exampleKey.id,
    lastUsedAt: '2026-11-25T08:31:00.000Z',
    cause: 'quiet',
  },
  'key.revoked': { ...exampleKey, holder: { reason: 'Found in a public repository' } },
  'key.address_refused': { keyId: exampleKey.id, address: '203.0.113.7' },
  'key.expiring': { ...exampleKey, expiresAt: '2026-11-29T09:00:00.000Z', daysLeft: 7 },
  'key.banned': exampleBan,
  'key.unbanned': { ...exampleBan, message: 'Thank you for fixing the client' },
  'quota.threshold': {
    keyId: exampleKey.id,
    quotaId: exampleBan.quotaId,
    plan: 'free',
    window: 'day',
    level: 80,
    used: 800,
    limit: 1000,
    resetsAt: '2026-11-23T00:00:00.000Z',
    shadow: false,
  },
  'plan.changed': {
    keyId: null,
    before: { ...exampleTerms, operations: ['tag:pets'] },
    after: { ...exampleTerms, limits: { minute: 60, day: 2000 } },
  },
  'operation.deprecated': exampleOperation,
  'operation.sunset_soon': {
    ...exampleOperation,
    daysLeft: 30,
    keys: [{ id: exampleKey.id, name: exampleKey.name, lastCalledAt: '2026-11-22T08:59:12.000Z' }],
    keyCount: 1,
  },
  'operation.invalid_call': {
    operation: 'addPet',
    method: 'POST',
    path: '/pets',
    keyId: exampleKey.id,
    rule: 'required',
    place: '/name',
    message: 'is required',
    refused: false,
  },
  'plan_request.created': examplePlanRequest,
  'plan_request.approved': { ...examplePlanRequest, reason: 'Welcome aboard' },
  'plan_request.declined': {
    ...examplePlanRequest,
    reason: 'Please call once per batch; then the free plan is enough.',
  },
  'account_request.created': {
    id: 'acr_9kQpLw0ZxVb5Tn2R7Hd3',
    name: 'Ann Example',
    email: 'ann@example.com',
    purpose: 'An app that finds pets near you, for about 500 users.',
    plan: 'free',
  },
  'webhook.disabled': {
    id: 'whk_0ZxVb5Tn2R7Hd93kQpLw',
    url: 'https://shop.example.com/hooks',
    reason: 'failing',
  },
  'webhook.test': { webhookId: 'whk_0ZxVb5Tn2R7Hd93kQpLw' },
  'store.degraded': { host: 'gateway-1', reason: 'connect ECONNREFUSED 10.0.0.7:6379' },
  'store.recovered': { host: 'gateway-1', degradedForMs: 41_200 },
};
