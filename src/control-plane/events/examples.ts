import type { GatewayEventData, GatewayEventName } from './catalogue.ts';

type Examples = { readonly [Name in GatewayEventName]: GatewayEventData<Name> };

const key: GatewayEventData<'key.created'> = {
  id: 'key_7Hd93kQpLw0ZxVb5Tn2R',
  name: 'Shop backend',
  owner: 'acme',
  plan: 'free',
  limits: null,
  prefix: 'tg_live_4fQz',
  lastFour: 'b7Xk',
  expiresAt: null,
};

const ban: GatewayEventData<'key.banned'> = {
  keyId: key.id,
  quotaId: 'acc_4fQz81LmN0pXy7RtWvB2',
  from: '2026-11-22T09:00:20.000Z',
  until: '2026-11-22T09:01:20.000Z',
  level: 1,
  manual: false,
  reason: '10 calls before the time given by Retry-After',
};

const operation: GatewayEventData<'operation.deprecated'> = {
  operation: 'findPets',
  method: 'GET',
  path: '/pets/find',
  deprecatedAt: '2026-10-01T00:00:00.000Z',
  sunsetAt: '2027-03-31T00:00:00.000Z',
  successor: '/pets',
};

const planRequest: GatewayEventData<'plan_request.created'> = {
  id: 'plr_9kQpLw0ZxVb5Tn2R7Hd3',
  accountId: 'acc_4fQz81LmN0pXy7RtWvB2',
  plan: 'pro',
  message: 'We launch in December and expect 200 requests a minute.',
  reason: null,
};

/** The data of an event of each type of the gateway's, for its readers. */
export const gatewayExamples: Examples = {
  'key.created': key,
  'key.rotated': { key, replaced: { id: 'key_Zx0VbLw95Tn2RpQk7Hd3', expiresAt: '2026-11-23T09:00:00.000Z' } },
  'key.revoked': key,
  'key.expiring': { ...key, expiresAt: '2026-11-29T09:00:00.000Z', daysLeft: 7 },
  'key.banned': ban,
  'key.unbanned': { ...ban, reason: 'The client was mended' },
  'quota.threshold': {
    keyId: key.id,
    quotaId: ban.quotaId,
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
    before: { plan: 'free', limits: { minute: 60, day: 1000 } },
    after: { plan: 'free', limits: { minute: 60, day: 2000 } },
  },
  'operation.deprecated': operation,
  'operation.sunset_soon': {
    ...operation,
    daysLeft: 30,
    keys: [{ id: key.id, name: key.name, lastCalledAt: '2026-11-22T08:59:12.000Z' }],
    keyCount: 1,
  },
  'plan_request.created': planRequest,
  'plan_request.approved': { ...planRequest, reason: 'Welcome aboard' },
  'plan_request.declined': { ...planRequest, reason: 'Please call once per batch; then the free plan is enough.' },
  'webhook.disabled': {
    id: 'whk_0ZxVb5Tn2R7Hd93kQpLw',
    url: 'https://shop.example.com/hooks',
    reason: 'failing',
  },
  'webhook.test': { webhookId: 'whk_0ZxVb5Tn2R7Hd93kQpLw' },
  'store.degraded': { host: 'gateway-1', reason: 'connect ECONNREFUSED 10.0.0.7:6379' },
  'store.recovered': { host: 'gateway-1', degradedForMs: 41_200 },
};
