/**
 * A gateway counts calls and refusals of two customers and is restarted, which writes the counts. Then the customers
 * query their usage and refusals.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { Schemas } from '../../../src/base/json-schemas.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { lintDocument } from '../../support/openapi-linter.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const settings = { plans: join(folder.path, 'plans.yaml') };
let gateway: TestGateway;
/** The secrets of a rotated key, of its successor, and of the keys of two other owners. The last key is banned. */
let [old, next, other, bannedKey] = ['', '', '', ''];

beforeAll(async () => {
  const free = { id: 'free', name: 'Free', limits: { minute: 3, day: 100 } };
  writeFileSync(settings.plans, stringify({ plans: [free] }));
  const first = await startTestGateway({ dataDir: folder.path, settings });
  const create = async (owner: string) => {
    const body = JSON.stringify({ owner, name: 'a', plan: 'free' });
    return (await (await first.admin('/v1/keys', { method: 'POST', body })).json()) as { id: string; key: string };
  };
  const [mine, theirs, banned] = [await create('acme'), await create('globex'), await create('initech')];
  const call = async (key: string, path: string, id: string) => {
    await (await first.call(path, { key, headers: { 'x-request-id': id } })).text();
  };
  await call(mine.key, '/pets', 'mine-1');
  await call(mine.key, '/pets/999', 'mine-2');
  const rotated = await first.admin(`/v1/keys/${mine.id}/rotate`, { method: 'POST', body: '{}' });
  [old, next, other] = [mine.key, ((await rotated.json()) as { key: string }).key, theirs.key];
  bannedKey = banned.key;
  await call(next, '/pets', 'mine-3');
  await call(next, '/pets', 'mine-4');
  // Refusals of the same millisecond are sorted by id in descending order, so this refusal comes after all others.
  await call(next, '/pets', 'used-by-both');
  await call(next, '/_gateway/usage', 'free');
  for (const id of ['1', '2', '3', 'theirs', 'used-by-both']) await call(other, '/pets', id);
  const ban = { method: 'PUT', body: JSON.stringify({ seconds: 3600, reason: 'test' }) };
  await first.admin(`/v1/keys/${banned.id}/ban`, ban);
  for (let index = 0; index < 12; index++) await call(banned.key, index === 6 ? '/orders' : '/pets', `banned-${index}`);
  await first.stop();
  gateway = await startTestGateway({ dataDir: folder.path, settings });
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

interface Figures {
  readonly requests: number;
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  readonly clientErrors: number;
}
interface History {
  readonly from: string;
  readonly to: string;
  readonly every: string;
  readonly series: readonly {
    readonly group: string | null;
    readonly totals: Figures;
    readonly points: readonly Figures[];
  }[];
  readonly others: Figures | null;
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
async function getJson(key: string, path: string): Promise<{ status: number; body: any }> {
  const response = await gateway.call(`/_gateway/${path}`, { key });
  return { status: response.status, body: await response.json() };
}
const history = async (key: string, query = ''): Promise<History> => (await getJson(key, `usage/history${query}`)).body;
const totals = ({ series }: History) =>
  series.map(({ group, totals: { requests, units, refused } }) => [group, requests, units, refused]);

describe('the usage history of a key', () => {
  test('includes its whole rotation chain and no other keys', async () => {
    const body = await history(next);
    expect(Object.keys(body)).toEqual(['from', 'to', 'every', 'countedSince', 'series', 'others']);
    expect(totals(body)).toEqual([[null, 5, 3, 2]]);
    expect([body.every, body.others]).toEqual(['hour', null]);
    expect(totals(await history(old))).toEqual([[null, 5, 3, 2]]);
    expect(totals(await history(other))).toEqual([[null, 5, 3, 2]]);
  });

  test('counts a 404 of the service as a client error, not as a refusal or an error', async () => {
    const { series } = await history(next);
    expect(series[0]?.totals).toMatchObject({ requests: 5, refused: 2, errors: 0, clientErrors: 1 });
    const served = (await history(next, '?by=outcome')).series.find(({ group }) => group === 'served');
    expect(served?.totals).toMatchObject({ requests: 3, refused: 0, clientErrors: 1 });
  });

  test('can be grouped by operation and outcome', async () => {
    expect(totals(await history(next, '?by=operation&every=minute'))).toEqual([
      ['listPets', 4, 2, 2],
      ['getPet', 1, 1, 0],
    ]);
    expect(totals(await history(next, '?by=outcome&every=day'))).toEqual([
      ['served', 3, 3, 0],
      ['rate_limit_exceeded', 2, 0, 2],
    ]);
    expect(totals(await history(other, '?by=operation&limit=1'))).toEqual([['listPets', 5, 3, 2]]);
  });

  test.each([
    ['from=yesterday', 'from', /^must be an RFC 3339 date-time/],
    ['from=2099-01-01T00:00:00Z', 'from', /^must be before `to`/],
    ['every=week', 'every', /^must be one of minute, hour, 6h, day$/],
    ['by=key', 'by', /^must be one of operation, outcome$/],
    ['limit=0', 'limit', /^must be a whole number from 1 to 100$/],
    ['limit=1e9', 'limit', /^must be a whole number/],
    ['key=key_1', 'key', /^is unknown; use one of from, to, every, by, limit$/],
    ['by=outcome&by=operation', 'by', /^is given more than once$/],
    ['every=hour&by=outcome&limit=100&from=2020-01-01T00:00:00Z', 'from', /^must be later, .* maximum is 3000$/],
  ])('is rejected with the parameter %s, and the error says what to change', async (query, field, message) => {
    const { status, body } = await getJson(other, `usage/history?${query}`);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.details).toEqual([{ path: `/query/${field}`, message: expect.stringMatching(message) }]);
  });
});

test('at most 20 errors of a request to /_gateway are reported', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `a${index}`);
  const { status, body } = await getJson(other, `usage/history?${names.join('&')}`);
  expect([status, body.details?.length]).toEqual([400, 20]);
});

describe('a refused request', () => {
  test('is explained to its caller as sentences and as data', async () => {
    const { status, body } = await getJson(other, 'requests/theirs');
    expect([status, body.requestId, body.refusals.length]).toEqual([200, 'theirs', 1]);
    expect(body.refusals[0]?.sentences[0]).toMatch(/a call to listPets was refused with 429 rate_limit_exceeded\.$/);
    expect(body.refusals[0]?.facts).toMatchObject({ code: 'rate_limit_exceeded', plan: 'free' });
  });

  test('is explained to each key of the rotation chain that made it', async () => {
    expect((await getJson(next, 'requests/mine-4')).status).toBe(200);
    expect((await getJson(old, 'requests/mine-4')).status).toBe(200);
  });

  test('of another owner is not found, even if a request of the caller has the same id', async () => {
    expect(await getJson(next, 'requests/theirs')).toEqual({
      status: 404,
      body: {
        code: 'request_not_found',
        message: expect.stringMatching(/No refused request .* for 48 hours/),
        status: 404,
      },
    });
    const [mine, theirs] = [
      await getJson(next, 'requests/used-by-both'),
      await getJson(other, 'requests/used-by-both'),
    ];
    expect([mine.body.refusals.length, theirs.body.refusals.length]).toEqual([1, 1]);
    expect(mine.body.refusals[0].keyId).not.toBe(theirs.body.refusals[0].keyId);
  });

  test('is explained, but a served or unknown request returns 404', async () => {
    expect((await getJson(next, 'requests/mine-1')).status).toBe(404);
    expect((await getJson(next, `requests/${'x'.repeat(1000)}`)).status).toBe(404);
    expect((await getJson(next, 'requests/a%20b')).status).toBe(404);
  });
});

describe('the list of refused requests', () => {
  const idsIn = (body: { items: { requestId: string }[] }) => body.items.map(({ requestId }) => requestId);

  test('contains the refusals of the whole rotation chain and no others, newest first', async () => {
    const { status, body } = await getJson(next, 'requests');
    expect([status, body.nextCursor, body.bans]).toEqual([200, null, []]);
    expect(idsIn(body)).toEqual(['used-by-both', 'mine-4']);
    expect(body.items[0]).toEqual({
      requestId: 'used-by-both',
      at: expect.stringMatching(/^20.*Z$/),
      keyId: expect.stringMatching(/^key_/),
      status: 429,
      code: 'rate_limit_exceeded',
      method: 'GET',
      operation: 'listPets',
      path: null,
      cause: expect.stringMatching(/^The limit for the minute starting at .* had been reached: .* \(plan Free\)\.$/),
    });
    expect(idsIn((await getJson(old, 'requests')).body)).toEqual(['used-by-both', 'mine-4']);
    expect(idsIn((await getJson(other, 'requests')).body)).toEqual(['used-by-both', 'theirs']);
  });

  test('comes in pages', async () => {
    const first = (await getJson(next, 'requests?limit=1')).body;
    expect(idsIn(first)).toEqual(['used-by-both']);
    const second = (await getJson(next, `requests?limit=1&cursor=${first.nextCursor}`)).body;
    expect([idsIn(second), second.nextCursor]).toEqual([['mine-4'], null]);
    // The cursor comes from another caller's list. It only selects a position in the caller's own list, so it reveals
    // nothing.
    expect(idsIn((await getJson(bannedKey, `requests?cursor=${first.nextCursor}`)).body)).not.toContain('mine-4');
  });

  test('is returned to a banned key too, and includes its ban', async () => {
    const { status, body } = await getJson(bannedKey, 'requests');
    expect(status).toBe(200);
    expect(body.items).toHaveLength(5);
    expect(body.bans).toMatchObject([{ manual: true, endedAt: null }]);
  });

  test.each([
    ['limit=0', 'limit', /^must be a whole number from 1 to 100$/],
    ['cursor=x', 'cursor', /^cursor does not belong to this list/],
    ['cursor=', 'cursor', /^cursor does not belong to this list/],
    ['key=key_1', 'key', /^is unknown; use one of limit, cursor$/],
    ['limit=1&limit=2', 'limit', /^is given more than once$/],
  ])('is rejected with the parameter %s, and the error says what to change', async (query, field, message) => {
    const { status, body } = await getJson(bannedKey, `requests?${query}`);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.details).toEqual([{ path: `/query/${field}`, message: expect.stringMatching(message) }]);
  });

  test('needs a key and the method GET', async () => {
    expect((await gateway.call('/_gateway/requests', { key: null })).status).toBe(401);
    expect((await gateway.call('/_gateway/requests', { key: bannedKey, method: 'DELETE' })).status).toBe(405);
  });
});

// For a banned key, only its first refusal was once stored, so the ids of all others were not found.
test('the request id of every refusal of a banned caller leads to a stored refusal for the same reason', async () => {
  for (let index = 0; index < 12; index++) {
    const id = `banned-${index}`;
    const { status, body } = await getJson(bannedKey, `requests/${id}`);
    expect([id, status, body.requestId, body.refusals.length]).toEqual([id, 200, id, 1]);
    const [{ requestId, facts, sentences }] = body.refusals;
    expect(facts.code).toBe('key_banned');
    const [first] = sentences;
    if (index < 5) expect([requestId, first]).toEqual([id, expect.stringMatching(/^At /)]);
    else
      expect([requestId, first]).toEqual([
        'banned-4',
        expect.stringMatching(/^Only a few of many similar refusals are stored/),
      ]);
  }
  expect((await getJson(next, 'requests/banned-7')).status).toBe(404);
});

test('calls to /_gateway cost nothing and are not counted', async () => {
  expect(totals(await history(next))).toEqual([[null, 5, 3, 2]]);
  const response = await gateway.call('/_gateway/usage/history', { key: next });
  expect(response.headers.get('x-ratelimit-remaining')).not.toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect((await gateway.call('/_gateway/usage/history', { key: null })).status).toBe(401);
  const { windows } = (await getJson(next, 'usage')).body;
  expect(windows[1]?.used).toBe(3);
});

/** Schemas that are extended with `allOf` stay open. Their fields are checked where the schemas are used. */
const EXTENDED = new Set(['allOf', 'GatewayUsageFigures']);

/** Returns a copy of the document whose schemas reject unknown fields. */
function closeSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeSchemas);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    EXTENDED.has(name) ? member : closeSchemas(member),
  ]);
  const copy = Object.fromEntries(members) as JsonObject;
  const isClosed = 'allOf' in copy || (copy['type'] === 'object' && 'properties' in copy);
  return isClosed ? { ...copy, type: 'object', unevaluatedProperties: false } : copy;
}

/** Clients once downloaded megabytes again and again. */
test('the API document is compressed, and is not sent again to clients that have it', async () => {
  const get = (headers: Record<string, string>, method = 'GET') =>
    gateway.call('/_gateway/openapi.json', { key: next, method, headers });
  const plain = await get({ 'accept-encoding': 'identity' });
  const [text, etag] = [await plain.text(), plain.headers.get('etag') ?? ''];
  expect(etag).toMatch(/^W\/"/);
  for (const coding of ['br', 'gzip']) {
    const compressed = await get({ 'accept-encoding': coding });
    expect(compressed.headers.get('content-encoding')).toBe(coding);
    expect(compressed.headers.get('etag')).toBe(etag);
    expect(await compressed.text()).toBe(text);
  }
  const head = await get({ 'accept-encoding': 'identity' }, 'HEAD');
  expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
    200,
    etag,
    String(Buffer.byteLength(text)),
  ]);
  const same = await get({ 'if-none-match': etag });
  expect([same.status, await same.text(), same.headers.get('vary')]).toEqual([304, '', 'Accept-Encoding']);
});

test('the API document describes all endpoints below /_gateway, and their responses match it', async () => {
  const document = (await getJson(next, 'openapi.json')).body;
  expect(await lintDocument(document)).toEqual([]);
  const schemas = new Schemas(closeSchemas(document) as JsonObject);
  const calls: Readonly<Record<string, string>> = {
    '/_gateway/usage': 'usage',
    '/_gateway/usage/history': 'usage/history?by=outcome',
    '/_gateway/requests': 'requests',
    '/_gateway/requests/{requestId}': 'requests/mine-4',
    '/_gateway/openapi.json': 'openapi.json',
  };
  const described = Object.keys(document.paths).filter((path) => path.startsWith('/_gateway/'));
  // Another test file tests revoking a key.
  expect([...Object.keys(calls), '/_gateway/key/revoke'].toSorted()).toEqual(described.toSorted());
  for (const [path, call] of Object.entries(calls)) {
    const validate = schemas.at(['paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema']);
    expect([call, validate((await getJson(next, call)).body, '')]).toEqual([call, undefined]);
  }
});

test('the keys of a rotation chain share one limit for calls to /_gateway', async () => {
  const responses = [];
  for (let count = 0; count < 61; count++)
    responses.push(await gateway.call('/_gateway/usage/history', { key: other }));
  expect(responses.at(-1)?.status).toBe(429);
  expect((await gateway.call('/_gateway/requests/theirs', { key: other })).status).toBe(429);
});
