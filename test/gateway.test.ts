import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { hashSecret } from '../src/domain/key-format.ts';
import { startTestGateway, temporaryFolder, type TestGateway } from './support/gateway/gateway.ts';

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

let now = Date.UTC(2026, 10, 21, 12, 0, 0);
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ clock: () => now });
});
afterAll(() => gateway.stop());

async function newKey(fields: Record<string, unknown> = {}): Promise<{ id: string; key: string }> {
  const response = await gateway.admin('/v1/keys', {
    method: 'POST',
    body: JSON.stringify({ owner: 'acme', name: 'test', plan: 'free', ...fields }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string; key: string };
}

function patchKey(id: string, fields: Record<string, unknown>): Promise<Response> {
  return gateway.admin(`/v1/keys/${id}`, { method: 'PATCH', body: JSON.stringify(fields) });
}

function readLimitHeaders(response: Response): (string | null)[] {
  return LIMIT_HEADERS.map((name) => response.headers.get(name));
}

/** Sends the headers unchanged, because `fetch` would merge repeated ones. */
function rawCall(
  headers: string[],
  path = '/pets',
): Promise<{ status: number; body: unknown; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const { host, hostname, port } = new URL(gateway.url);
    const call = request({ hostname, port, path, headers: ['Host', host, ...headers] }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), headers: response.headers }),
      );
    });
    call.on('error', reject).end();
  });
}

describe('a Free key', () => {
  test('admits exactly 60 of 100 parallel calls, and tells the others how long to wait', async () => {
    const { key } = await newKey();
    const responses = await Promise.all(Array.from({ length: 100 }, () => gateway.call('/pets', { key })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(40);

    const [first] = refused;
    expect(await first?.json()).toEqual({
      code: 'rate_limit_exceeded',
      message: 'The per-minute request limit has been reached. Wait for the time given in Retry-After.',
      status: 429,
    });
    expect(first?.headers.get('retry-after')).toBe('60');
    expect(readLimitHeaders(first as Response)).toEqual(['60', '0', String(now / 1000 + 60)]);
    expect(first?.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
    expect(first?.headers.get('ratelimit')).toBe('"minute";r=0;t=60, "day";r=940;t=43200');

    const usage = (await (await gateway.call('/_gateway/usage', { key })).json()) as { windows: object[] };
    expect(usage).toEqual({
      plan: 'free',
      windows: [
        { name: 'minute', limit: 60, used: 60, remaining: 0, resetsAt: '2026-11-21T12:01:00.000Z' },
        { name: 'day', limit: 1000, used: 60, remaining: 940, resetsAt: '2026-11-22T00:00:00.000Z' },
      ],
      ban: null,
    });
  });

  /** The client openai@4 waits up to 59 s. If the wait is longer, it retries immediately. */
  test('should be retried only if the wait is shorter than a minute', async () => {
    const { key } = await newKey();
    await Promise.all(Array.from({ length: 60 }, () => gateway.call('/pets', { key })));
    const headers = async () => {
      const { headers: own } = await gateway.call('/pets', { key });
      return [own.get('retry-after'), own.get('x-should-retry')];
    };
    expect(await headers()).toEqual(['60', 'false']);
    now += 1000;
    expect(await headers()).toEqual(['59', null]);
  });

  test('is admitted again after the time in Retry-After', async () => {
    const { key } = await newKey();
    await Promise.all(Array.from({ length: 60 }, () => gateway.call('/pets', { key })));
    now += 59_999;
    expect((await gateway.call('/pets', { key })).headers.get('retry-after')).toBe('1');
    now += 1;
    expect((await gateway.call('/pets', { key })).status).toBe(200);
  });
});

test('a key that has used up its monthly quota is refused until the end of the month', async () => {
  const limits = { minute: 5, day: 5, month: 6 };
  const { key } = await newKey({ plan: 'enterprise', limits });
  for (let count = 0; count < 5; count++) await gateway.call('/pets', { key });
  const soon = await gateway.call('/pets', { key });
  const untilMidnight = String(Math.ceil((86_400_000 - (now % 86_400_000)) / 1000));
  expect([soon.status, soon.headers.get('retry-after'), soon.headers.get('x-should-retry')]).toEqual([
    429,
    untilMidnight,
    'false',
  ]);
  now += 86_400_000;
  const last = await gateway.call('/pets', { key });
  expect(last.headers.get('ratelimit-policy')).toBe('"minute";q=5;w=60, "day";q=5;w=86400, "month";q=6;w=2592000');
  const left = Math.ceil((Date.UTC(2026, 11, 1) - now) / 1000);
  expect(last.headers.get('ratelimit')).toBe(`"minute";r=4;t=60, "day";r=4;t=${untilMidnight}, "month";r=0;t=${left}`);
  expect(readLimitHeaders(last)).toEqual(['6', '0', String(Date.UTC(2026, 11, 1) / 1000)]);
  const refused = await gateway.call('/pets', { key });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(left)]);
  expect(await refused.json()).toMatchObject({ code: 'quota_exceeded', message: /monthly quota/ });
});

describe('an invalid key', () => {
  const wellFormed = 'tg_live_NLByNRwZON9CgnfI6hUUvHsWnoiGAJwl4cVCZD';

  async function expectRefusal(headers: string[], status: number, code: string, path?: string): Promise<void> {
    const response = await rawCall(headers, path);
    expect(response.body).toEqual({ code, message: expect.any(String), status });
    expect(response.status).toBe(status);
    for (const name of LIMIT_HEADERS) expect(response.headers[name]).toMatch(/^\d+$/);
    expect(response.headers['x-request-id']).toBeDefined();
    expect(response.headers['cache-control']).toBe('no-store');
    if (status === 401) expect(response.headers['www-authenticate']).toBe('Bearer realm="tollgate"');
  }

  test.each([
    ['missing', [], 401, 'key_missing'],
    ['empty', ['X-API-Key', ''], 401, 'key_missing'],
    ['malformed', ['X-API-Key', 'hello'], 401, 'key_invalid'],
    ['with a wrong checksum', ['X-API-Key', `${wellFormed.slice(0, -1)}x`], 401, 'key_invalid'],
    ['unknown', ['X-API-Key', wellFormed], 401, 'key_invalid'],
    ['unknown, as a bearer token', ['Authorization', `Bearer ${wellFormed}`], 401, 'key_invalid'],
    ['not a key: a bearer token for the upstream', ['Authorization', 'Bearer other'], 401, 'key_missing'],
    [
      'sent beside another Authorization scheme',
      ['Authorization', 'Basic eDp5', 'Authorization', `Bearer ${wellFormed}`],
      400,
      'key_ambiguous',
    ],
    ['sent twice', ['X-API-Key', wellFormed, 'X-API-Key', wellFormed], 400, 'key_ambiguous'],
    ['sent in two different ways', ['X-API-Key', 'a', 'Authorization', `Bearer ${wellFormed}`], 400, 'key_ambiguous'],
  ])('%s', async (_, headers, status, code) => {
    await expectRefusal(headers, status, code);
  });

  test('in the query string is ignored', async () => {
    await expectRefusal([], 401, 'key_missing', `/pets?api_key=${gateway.demoKey}&x-api-key=${gateway.demoKey}`);
  });

  test('is refused if expired', async () => {
    const { key } = await newKey({ expiresAt: new Date(now + 5000).toISOString() });
    expect((await gateway.call('/pets', { key })).status).toBe(200);
    now += 5000;
    await expectRefusal(['X-API-Key', key], 401, 'key_expired');
  });

  test('is refused while disabled, accepted when enabled again, and refused once revoked', async () => {
    const { id, key } = await newKey();
    expect((await gateway.call('/pets', { key })).status).toBe(200);
    await patchKey(id, { status: 'disabled' });
    await expectRefusal(['X-API-Key', key], 401, 'key_revoked');
    await patchKey(id, { status: 'active' });
    expect((await gateway.call('/pets', { key })).status).toBe(200);
    await gateway.admin(`/v1/keys/${id}`, { method: 'DELETE' });
    await expectRefusal(['X-API-Key', key], 401, 'key_revoked');
  });

  test('that is empty beside a valid one is ignored', async () => {
    const { key } = await newKey();
    expect((await rawCall(['X-API-Key', '', 'Authorization', `Bearer ${key}`])).status).toBe(200);
  });

  test('is not reported if both headers contain the same valid key', async () => {
    const { key } = await newKey();
    expect((await rawCall(['X-API-Key', key, 'Authorization', `Bearer ${key}`])).status).toBe(200);
  });
});

describe('failed attempts', () => {
  test('are limited per address, and never block a valid key', async () => {
    const guarded = await startTestGateway({ settings: { guard: { failedAttempts: 3, within: '1m' } } });
    const attempt = () => guarded.call('/pets', { key: 'junk' });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await attempt()).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const refused = await attempt();
    expect(await refused.json()).toMatchObject({ code: 'too_many_failed_attempts' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(readLimitHeaders(refused).slice(0, 2)).toEqual(['3', '0']);
    expect((await guarded.call('/pets')).status).toBe(200);
    await guarded.stop();
  });
});

describe('a deprecated operation', () => {
  test.each([
    ['200', () => gateway.call('/pets/1'), 200],
    ['401', () => gateway.call('/pets/1', { key: null }), 401],
  ])('is announced with a %s', async (_, call, status) => {
    const response = await call();
    expect(response.status).toBe(status);
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(Date.parse(response.headers.get('sunset') ?? '')).toBeGreaterThan(Date.UTC(2026, 11));
    expect(response.headers.get('link')).toContain('</pets?id=1>; rel="successor-version"');
    expect(response.headers.get('link')).toContain('rel="deprecation"');
  });

  test('is announced with a 429', async () => {
    const { key } = await newKey({ plan: 'enterprise', limits: { minute: 1, day: 1 } });
    await gateway.call('/pets/1', { key });
    const response = await gateway.call('/pets/1', { key });
    expect(await response.json()).toMatchObject({ code: 'quota_exceeded' });
    expect(response.headers.get('sunset')).not.toBeNull();
  });

  test('escapes path values in its Link header', async () => {
    const response = await gateway.call('/pets/%22%3E%26x', { key: null });
    expect(response.headers.get('link')).toContain('</pets?id=%22%3E%26x>');
  });
});

describe('a request that matches no operation', () => {
  test('gets 401 without a valid key, not 404 or 405', async () => {
    expect((await gateway.call('/nowhere', { key: null })).status).toBe(401);
    expect((await gateway.call('/pets', { key: null, method: 'DELETE' })).status).toBe(401);
    expect((await gateway.call('/pets', { key: null, method: 'PROPFIND' })).status).toBe(401);
  });

  test('is charged, and has the usual headers', async () => {
    const { key } = await newKey();
    const missing = await gateway.call('/nowhere', { key });
    expect(await missing.json()).toMatchObject({ code: 'route_not_found', status: 404 });
    expect(readLimitHeaders(missing).slice(0, 2)).toEqual(['60', '59']);
    const wrong = await gateway.call('/pets', { key, method: 'DELETE' });
    expect(await wrong.json()).toMatchObject({ code: 'method_not_allowed', status: 405 });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(readLimitHeaders(wrong).slice(0, 2)).toEqual(['60', '58']);
    const unknown = await gateway.call('/pets', { key, method: 'PROPFIND' });
    expect(await unknown.json()).toMatchObject({ code: 'method_not_allowed', status: 405 });
    expect(readLimitHeaders(unknown).slice(0, 2)).toEqual(['60', '57']);
  });
});

describe("the gateway's own endpoints", () => {
  test('require a key, do not use quota, and have their own limit', async () => {
    expect((await gateway.call('/_gateway/usage', { key: null })).status).toBe(401);
    const { key } = await newKey();
    const responses = [];
    for (let count = 0; count < 61; count++) responses.push(await gateway.call('/_gateway/usage', { key }));
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(60).fill(200), 429]);
    expect(readLimitHeaders(responses[60] as Response).slice(0, 2)).toEqual(['60', '60']);
  });

  test('serve an OpenAPI document with the key and its refusals', async () => {
    const document = (await (await gateway.call('/_gateway/openapi.json')).json()) as {
      security: unknown;
      components: { securitySchemes: unknown };
      paths: Record<string, Record<string, { responses: object }>>;
    };
    expect(document.security).toEqual([{ ApiKey: [] }]);
    expect(document.components.securitySchemes).toEqual({
      ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    });
    for (const [path, item] of Object.entries(document.paths)) {
      // Banned keys can call the gateway's own endpoints.
      const refusals = path.startsWith('/_gateway/') ? ['401', '429'] : ['401', '403', '429'];
      for (const method of ['get', 'put', 'post', 'delete']) {
        if (item[method] !== undefined)
          expect(Object.keys(item[method].responses)).toEqual(expect.arrayContaining(refusals));
      }
    }
  });

  test('are limited to those in the document', async () => {
    for (const name of ['toString', 'constructor', '__proto__']) {
      expect((await gateway.call(`/_gateway/${name}`)).status).toBe(404);
    }
    for (const path of ['other', 'usage/', 'usage/history/', 'requests/']) {
      expect((await gateway.call(`/_gateway/${path}`)).status).toBe(404);
    }
    const response = await gateway.call('/_gateway/usage', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('a request id', () => {
  test('is returned and logged if it is well-formed', async () => {
    const response = await gateway.call('/pets', { headers: { 'x-request-id': 'trace-1.a_B' } });
    expect(response.headers.get('x-request-id')).toBe('trace-1.a_B');
    expect(gateway.responses().some(({ requestId }) => requestId === 'trace-1.a_B')).toBe(true);
  });

  test.each(['with space', 'x'.repeat(129), 'semi;colon'])('is replaced if it is "%s"', async (given) => {
    const response = await gateway.call('/pets', { headers: { 'x-request-id': given } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('the header of a request id may have any name', async () => {
  const { key } = await newKey();
  const response = await rawCall(['X-API-Key', key, 'constructor', 'x', '__proto__', 'y', 'hasOwnProperty', 'z']);
  expect(response.status).toBe(200);
});

test('a plan in shadow mode refuses nothing, and logs what it would have refused', async () => {
  const plans = join(temporaryFolder(), 'plans.yaml');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(plans, 'plans: [{ id: free, name: Free, mode: shadow, limits: { minute: 2, day: 5 } }]');
  const shadow = await startTestGateway({ settings: { plans } });
  const statuses = [];
  for (let count = 0; count < 4; count++) statuses.push((await shadow.call('/pets')).status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(shadow.responses().map((line) => line['shadow'])).toEqual([
    undefined,
    undefined,
    'minute_exhausted',
    'minute_exhausted',
  ]);
  await shadow.stop();
});

test('each response has a log line with its key, and with the reason if it was refused', async () => {
  const { id, key } = await newKey();
  await gateway.call('/pets/1', { key, headers: { 'x-request-id': 'logged-1' } });
  await gateway.call('/nowhere', { key, headers: { 'x-request-id': 'logged-2' } });
  const lines = gateway.responses();
  expect(lines.find(({ requestId }) => requestId === 'logged-1')).toMatchObject({
    keyId: id,
    plan: 'free',
    operation: 'getPet',
    status: 200,
    durationMs: expect.any(Number),
  });
  expect(lines.find(({ requestId }) => requestId === 'logged-2')).toMatchObject({
    status: 404,
    reason: 'route_not_found',
  });
});

test('no log or file contains a secret', async () => {
  const { key } = await newKey();
  await gateway.call(`/pets?key=${key}`, { key, headers: { 'x-request-id': key } });
  await gateway.call(`/${key}`, { key });
  await gateway.call(`/${key.replace('_', '%5f')}`, { key });
  const files = readdirSync(gateway.dataDir).map((name) => readFileSync(join(gateway.dataDir, name), 'latin1'));
  for (const secret of [key, gateway.demoKey, gateway.adminToken]) {
    for (const text of [...gateway.logs, ...files]) expect(text.includes(secret)).toBe(false);
  }
  // The hash is stored, which shows that the search would find a secret.
  expect(files.some((text) => text.includes(hashSecret(key)))).toBe(true);
});
