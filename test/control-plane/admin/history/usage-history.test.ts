import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import { expectError, NOW, startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { addCounts } from '../../../support/history/counts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let admin: Admin;
let shop: string;
let feed: string;
beforeAll(async () => {
  admin = await startAdmin();
  const create = async (owner: string, plan: string) =>
    (await admin.post('/v1/keys', { name: 'a', owner, plan })).body.id as string;
  shop = await create('acme', 'free');
  feed = await create('globex', 'pro');
  await addCounts(
    admin.history,
    { minute: NOW - 2 * HOUR, keyId: shop, operation: 'listPets', requests: 90, durationMs: 10 },
    { minute: NOW - HOUR, keyId: shop, operation: 'getPet', requests: 10, durationMs: 100 },
    {
      minute: NOW - HOUR,
      keyId: shop,
      operation: 'getPet',
      outcome: 'rate_limit_exceeded',
      statusClass: 4,
      requests: 5,
      durationMs: 1,
    },
    { minute: NOW - MINUTE, keyId: feed, operation: 'getPet', requests: 200, statusClass: 5 },
    { minute: NOW - MINUTE, outcome: 'key_missing', statusClass: 4, requests: 3 },
  );
});
afterAll(() => admin.stop());

const usage = async (query: string) => (await admin.get(`/v1/usage?${query}`)).body;
/** Lists the group, requests, units, refused and errors of each series. */
const totals = ({ series }: { series: { group: string | null; totals: Record<string, number> }[] }) =>
  series.map(({ group, totals: of }) => [group, of['requests'], of['units'], of['refused'], of['errors']]);

test('the usage of the last 24 hours is returned by the hour by default', async () => {
  const body = await usage('');
  expect(Object.keys(body)).toEqual(['from', 'to', 'every', 'countedSince', 'series', 'others']);
  expect(body.countedSince).toBe('2026-06-15T10:00:00.000Z');
  expect(body).toMatchObject({ from: '2026-06-14T12:00:00.000Z', to: '2026-06-15T12:00:00.000Z', every: 'hour' });
  expect(totals(body)).toEqual([[null, 308, 300, 8, 200]]);
  expect(body.others).toBeNull();
  const [{ points }] = body.series;
  expect(points.map(({ at, requests }: { at: string; requests: number }) => [at, requests])).toEqual([
    ['2026-06-15T10:00:00.000Z', 90],
    ['2026-06-15T11:00:00.000Z', 218],
  ]);
  expect(Object.keys(points[0])).toEqual([
    'at',
    'requests',
    'units',
    'refused',
    'errors',
    'clientErrors',
    'p50Ms',
    'p95Ms',
    'p99Ms',
  ]);
  for (const figure of ['p50Ms', 'p95Ms', 'p99Ms']) expect(Math.abs(points[0][figure] - 10)).toBeLessThan(0.5);
});

test('groups of usage beyond the limit are added up', async () => {
  const { series, others } = await usage('by=key&limit=1');
  expect(totals({ series })).toEqual([[feed, 200, 200, 0, 200]]);
  expect(others).toMatchObject({ requests: 108, units: 100, refused: 8, errors: 0 });
});

test('several filters of usage can be combined', async () => {
  expect(totals(await usage(`key=${shop}`))).toEqual([[null, 105, 100, 5, 0]]);
  expect(totals(await usage('owner=acme&operation=getPet'))).toEqual([[null, 15, 10, 5, 0]]);
  expect(totals(await usage('plan=free&outcome=rate_limit_exceeded&by=key'))).toEqual([[shop, 5, 0, 5, 0]]);
});

test('a request for totals without points may return more series', async () => {
  const query = 'every=day&from=2026-05-01T00:00:00Z&by=key&limit=1000';
  expect((await admin.get(`/v1/usage?${query}`)).status).toBe(400);
  const { status, body } = await admin.get(`/v1/usage?${query}&points=false`);
  expect([status, body.others]).toEqual([200, null]);
  expect(body.series.length).toBeGreaterThan(0);
  for (const { totals, points } of body.series) {
    expect(totals.requests).toBeGreaterThan(0);
    expect(points).toEqual([]);
  }
});

describe('usage as CSV', () => {
  const HEAD = 'group,at,requests,units,refused,errors,clientErrors,p50Ms,p95Ms,p99Ms';
  const csv = (query: string, method = 'GET') =>
    admin.call(method, `/v1/usage?${query}`, { headers: { Accept: 'text/csv' } });
  const operations = Array.from({ length: 14 }, (_, index) => `many${index}`);
  beforeAll(() =>
    addCounts(
      admin.history,
      ...operations.map((operation) => ({ minute: NOW - 30 * HOUR, keyId: 'key_deleted', operation, requests: 1 })),
    ),
  );

  test('has all groups, however many there are', async () => {
    const { status, headers, text } = await csv('by=operation&from=2026-06-13T12:00:00Z&every=day');
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([200, 'text/csv', 'Accept']);
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toBe(HEAD);
    expect(lines.map((line) => line.split(',').slice(0, 6).join(','))).toEqual(
      expect.arrayContaining([
        'getPet,2026-06-15T00:00:00.000Z,215,210,5,200',
        ',2026-06-15T00:00:00.000Z,3,0,3,0',
        ...operations.map((operation) => `${operation},2026-06-14T00:00:00.000Z,1,1,0,0`),
      ]),
    );
    expect(lines).toHaveLength(17);
  });

  test('has the groups with the most requests if a limit is given', async () => {
    const { text } = await csv('by=owner&limit=2&every=day&points=false');
    expect(text.split('\n').map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
      'group,at,requests',
      'globex,,200',
      'acme,,105',
      '',
    ]);
  });

  test('may have more points than JSON, but not more intervals', async () => {
    expect((await csv('by=key&every=minute&from=2026-06-13T12:00:00Z')).status).toBe(200);
    expectError(await csv('from=yesterday'), 400, 'validation_failed', '/query/from');
    expect((await csv('by=key', 'HEAD')).text).toBe('');
  });

  test('is an error response if the database fails at once, and is truncated if it fails later', async () => {
    let remainingSuccesses = 0;
    const { history } = admin;
    const usage: typeof history.usage = (query) =>
      remainingSuccesses-- > 0 ? history.usage(query) : Promise.reject(new StoreUnavailable('away'));
    const failing = await startAdmin({
      history: { ...history, usage, usageGroups: (query) => history.usageGroups(query) },
    });
    const read = () => failing.call('GET', '/v1/usage?by=outcome&every=minute&from=2026-06-13T12:00:00Z', { headers });
    const headers = { Accept: 'text/csv' };
    expectError(await read(), 503, 'store_unavailable');
    remainingSuccesses = 1;
    await expect(read()).rejects.toThrow(TypeError);
    await failing.stop();
  });
});

describe('an invalid request is rejected, and the error says what to change', () => {
  test.each([
    ['from=yesterday', '/query/from', 'must be an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z'],
    ['from=2026-06-15T12:00:00Z', '/query/from', 'must be before `to`, and in the past'],
    ['from=2026-06-15T11:00:00Z&to=2026-06-15T10:00:00Z', '/query/from', 'must be before `to`, and in the past'],
    ['every=week', '/query/every', 'must be one of minute, hour, 6h, day'],
    ['by=status', '/query/by', 'must be one of key, owner, plan, operation, outcome'],
    ['limit=1001', '/query/limit', 'must be at most 1000'],
    ['points=no', '/query/points', 'must be one of true, false'],
    ['key=', '/query/key', 'must have at least 1 character'],
    [
      'every=hour&from=2026-05-01T00:00:00Z&by=key&limit=3',
      '/query/from',
      'must be later, or `every` longer, or `limit` lower: this would return up to 3276 points, and the maximum is 3000',
    ],
  ])('for %s', async (query, path, message) => {
    const response = await admin.get(`/v1/usage?${query}`);
    expectError(response, 400, 'validation_failed', path);
    expect(response.body.details[0].message).toBe(message);
  });
});

describe('the deletion of usage', () => {
  test('requires an owner and permission to make changes', async () => {
    expectError(await admin.delete('/v1/usage'), 400, 'validation_failed', '/query/owner');
    expectError(await admin.delete('/v1/usage?owner='), 400, 'validation_failed', '/query/owner');
    expectError(await admin.call('DELETE', '/v1/usage?owner=acme', { token: VIEWER }), 403, 'forbidden');
    expect(totals(await usage(`key=${shop}`))).toEqual([[null, 105, 100, 5, 0]]);
  });

  test('removes the history of all keys of an owner, and is in the audit log', async () => {
    const own = await startAdmin();
    const { id } = (await own.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const rows = { minute: NOW - HOUR, operation: 'getPet', requests: 7 };
    await addCounts(own.history, { ...rows, keyId: id }, { ...rows, keyId: 'key_other' });
    const { status, body } = await own.delete('/v1/usage?owner=acme', { reason: 'asked for it' });
    expect([status, body]).toEqual([200, { owner: 'acme', keys: 1, rows: expect.any(Number) }]);
    expect(body.rows).toBeGreaterThan(0);
    expect((await own.get(`/v1/usage?by=key`)).body.series.map(({ group }: { group: string }) => group)).toEqual([
      'key_other',
    ]);
    const { items } = (await own.get('/v1/operations/getPet/callers')).body;
    expect(items.map(({ key }: { key: string }) => key)).toEqual(['key_other']);
    const [entry] = (await own.get('/v1/audit?action=usage.delete')).body.items;
    expect(entry).toMatchObject({ actor: 'ops', subject: 'acme', reason: 'asked for it', after: { keys: 1 } });
    await own.stop();
  });
});

test('an unavailable history returns 503, and the rest of the API still works', async () => {
  const unavailable = () => Promise.reject(new StoreUnavailable('away'));
  const history = {
    ...admin.history,
    usage: unavailable,
    callers: unavailable,
    findRefusals: unavailable,
    recentRefusals: unavailable,
    preview: unavailable,
    deleteOwner: unavailable,
  };
  const failing = await startAdmin({ registry: admin.registry, history });
  for (const path of ['usage', 'operations/getPet/callers', 'requests/a']) {
    const response = await failing.get(`/v1/${path}`);
    expectError(response, 503, 'store_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
  }
  const limits = { minute: 1, day: 1 };
  expectError(await failing.post('/v1/plans/free/preview', { limits }), 503, 'store_unavailable');
  expectError(await failing.delete('/v1/usage?owner=acme'), 503, 'store_unavailable');
  expect((await failing.get('/v1/audit?action=usage.delete')).body.items).toEqual([]);
  expect((await failing.get('/v1/keys')).status).toBe(200);
  await failing.stop();
});
