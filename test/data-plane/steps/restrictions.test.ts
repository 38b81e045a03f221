/** Plans and keys that allow only some operations, and keys that allow only some addresses. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { stringify } from 'yaml';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { until } from '../../support/until.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const responses = { 200: { description: 'What was seen' } };
const paths = {
  '/echo': {
    get: { operationId: 'getEcho', tags: ['reading'], responses },
    post: { operationId: 'postEcho', tags: ['writing'], responses },
  },
  '/echo/{id}': { get: { operationId: 'getEchoById', tags: ['reading'], responses } },
  '/public': { get: { operationId: 'getPublic', security: [], responses } },
};
const limits = { minute: 100, day: 1000 };
const plans = [
  { id: 'free', name: 'Free', limits, operations: ['tag:reading'] },
  { id: 'pro', name: 'Pro', limits },
  { id: 'writer', name: 'Writer', limits, operations: ['postEcho'] },
];
const ELSEWHERE = '203.0.113.7';

let gateway: TestGateway;
beforeAll(async () => {
  const folder = temporaryDirectory();
  const openapi = join(folder, 'api.yaml');
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'API', version: '1' }, paths }));
  const plansFile = join(folder, 'plans.yaml');
  writeFileSync(plansFile, stringify({ plans }));
  const upstreams = [{ name: 'a', openapi, module: join(root, 'test/support/services/contract-service.ts') }];
  const settings = {
    upstreams,
    plans: plansFile,
    // Tests can set the address of the caller.
    trustedProxies: ['127.0.0.1'],
    portal: { requestablePlans: ['writer', 'pro', 'free'] },
    guard: { failedAttempts: 5 },
  };
  gateway = await startTestGateway({ settings });
});
afterAll(() => gateway.stop());

interface NewKey {
  readonly id: string;
  readonly key: string;
}

async function create(over: object = {}): Promise<NewKey> {
  const body = JSON.stringify({ name: 'a', owner: 'acme', plan: 'free', ...over });
  const response = await gateway.admin('/v1/keys', { method: 'POST', body });
  expect(response.status).toBe(201);
  return (await response.json()) as NewKey;
}

const patch = (id: string, fields: object) =>
  gateway.admin(`/v1/keys/${id}`, { method: 'PATCH', body: JSON.stringify(fields) });

async function readStatusAndCode(response: Response): Promise<[number, string]> {
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code ?? ''];
}

const readUsed = async (key: string) => {
  const usage = await (await gateway.call('/_gateway/usage', { key })).json();
  return (usage as { windows: { used: number }[] }).windows[0]?.used;
};

describe('a plan with operations', () => {
  let own: NewKey;
  beforeEach(async () => {
    own = await create();
  });

  test('serves its operations, HEAD for each GET, and public ones', async () => {
    for (const path of ['/echo', '/echo/1', '/public']) {
      expect((await gateway.call(path, { key: own.key })).status).toBe(200);
    }
    expect((await gateway.call('/echo', { key: own.key, method: 'HEAD' })).status).toBe(200);
  });

  test('refuses other operations, names the plans that include them, and causes no charge or strike', async () => {
    const refused = await gateway.call('/echo', { key: own.key, method: 'POST' });
    expect(await refused.json()).toEqual({
      code: 'operation_not_allowed',
      message: "The API key's plan does not include this operation. Plans that do: Writer, Pro.",
      status: 403,
    });
    expect([refused.headers.get('x-ratelimit-limit'), refused.headers.get('x-should-retry')]).toEqual(['100', 'false']);
    expect(await readUsed(own.key)).toBe(0);
  });

  test('does not change responses for unknown operations', async () => {
    expect((await gateway.call('/nothing', { key: own.key })).status).toBe(404);
    expect((await gateway.call('/echo', { key: own.key, method: 'DELETE' })).status).toBe(405);
  });

  test('marks its excluded operations in the document, but only for its own callers', async () => {
    const readDocument = async (key: string) => {
      const document = await (await gateway.call('/_gateway/openapi.json', { key })).json();
      return (document as { paths: Record<string, Record<string, object>> }).paths['/echo'];
    };
    const echo = await readDocument(own.key);
    expect(echo?.['post']).toMatchObject({ 'x-tollgate-included': false, 'x-tollgate-plans': ['Writer', 'Pro'] });
    expect(echo?.['get']).not.toHaveProperty('x-tollgate-included');
    expect((await readDocument((await create({ plan: 'pro' })).key))?.['post']).not.toHaveProperty(
      'x-tollgate-included',
    );
  });

  test('is applied to the next request after a change', async () => {
    await patch(own.id, { plan: 'pro' });
    expect((await gateway.call('/echo', { key: own.key, method: 'POST' })).status).toBe(200);
  });

  test('is rejected if it lists an operation that does not exist', async () => {
    const put = (operations: string[]) =>
      gateway.admin('/v1/plans/new', { method: 'PUT', body: JSON.stringify({ name: 'New', limits, operations }) });
    const misspelt = (await (await put(['tag:reading', 'getEchoByID'])).json()) as object;
    expect(misspelt).toMatchObject({
      code: 'validation_failed',
      details: [{ path: '/operations/1', message: expect.stringContaining('did you mean "getEchoById"?') }],
    });
    expect((await put(['tag:redding'])).status).toBe(400);
    expect((await put(['postEcho', 'tag:reading'])).status).toBe(201);
  });
});

describe('a key with operations', () => {
  test('is restricted to them, and cannot exceed its plan', async () => {
    const { key } = await create({ operations: ['getEcho', 'postEcho'] });
    expect((await gateway.call('/echo', { key })).status).toBe(200);
    const within = await gateway.call('/echo/1', { key });
    expect(await within.json()).toMatchObject({
      code: 'operation_not_allowed',
      message: expect.stringContaining('restricted to other operations'),
    });
    const beyond = await gateway.call('/echo', { key, method: 'POST' });
    expect(await beyond.json()).toMatchObject({
      code: 'operation_not_allowed',
      message: expect.stringContaining('Plans that do'),
    });
  });

  test('passes its restriction on when rotated, and changes to it apply to the whole rotation chain', async () => {
    const old = await create({ operations: ['getEcho'] });
    const rotated = await gateway.admin(`/v1/keys/${old.id}/rotate`, { method: 'POST', body: '{}' });
    const next = (await rotated.json()) as NewKey;
    expect(next).toMatchObject({ operations: ['getEcho'] });
    expect((await patch(old.id, { operations: null })).status).toBe(409);
    expect((await patch(next.id, { operations: ['getEchoById'] })).status).toBe(200);
    for (const { key } of [old, next]) {
      expect((await gateway.call('/echo', { key })).status).toBe(403);
      expect((await gateway.call('/echo/1', { key })).status).toBe(200);
    }
  });
});

describe('a key with addresses', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  test('is served from those addresses, and refused from elsewhere without revealing anything about the key', async () => {
    const { id, key } = await create({ addresses: ['198.51.100.0/24', '2001:db8::/32'] });
    for (const address of ['198.51.100.9', '2001:db8::1', '::ffff:198.51.100.9']) {
      expect((await gateway.call('/echo', { key, headers: from(address) })).status).toBe(200);
    }
    const refused = await gateway.call('/_gateway/usage', { key, headers: from('192.0.2.1') });
    expect(await readStatusAndCode(refused)).toEqual([403, 'address_not_allowed']);
    expect([refused.headers.get('x-ratelimit-limit'), refused.headers.get('x-ratelimit-remaining')]).toEqual([
      '5',
      '4',
    ]);
    expect([refused.headers.get('ratelimit-policy'), refused.headers.get('x-should-retry')]).toEqual([null, 'false']);
    await patch(id, { addresses: null });
    expect(await readUsed(key)).toBe(3);
  });

  test('counts refused calls as failed attempts of the address', async () => {
    const { key } = await create({ addresses: ['198.51.100.0/24'] });
    const codes = [];
    for (let tried = 0; tried < 6; tried++) {
      codes.push((await readStatusAndCode(await gateway.call('/echo', { key, headers: from(ELSEWHERE) })))[1]);
    }
    expect(codes).toEqual([...Array<string>(5).fill('address_not_allowed'), 'too_many_failed_attempts']);
  });

  test('is reported in the audit log and as an event once an hour, if it is used from elsewhere', async () => {
    const { id, key } = await create({ addresses: ['198.51.100.0/24'] });
    for (let tried = 0; tried < 3; tried++) await gateway.call('/echo', { key, headers: from('192.0.2.77') });
    const read = async (path: string) => ((await (await gateway.admin(path)).json()) as { items: object[] }).items;
    const entries = () => read(`/v1/audit?subject=${id}&action=key.address_refused`);
    await until(async () => (await entries()).length > 0);
    expect(await entries()).toEqual([
      expect.objectContaining({ actor: 'system', before: null, after: { address: '192.0.2.77' } }),
    ]);
    expect(await read(`/v1/events?subject=${id}&type=key.address_refused`)).toEqual([
      expect.objectContaining({ data: { keyId: id, address: '192.0.2.77' } }),
    ]);
  });

  test.each([[['10.0.0']], [['010.0.0.7']], [['10.0.0.0/33']], [['everywhere']], [[]]])(
    'is rejected unless its addresses are valid, unlike %j',
    async (addresses) => {
      const body = JSON.stringify({ name: 'a', owner: 'acme', plan: 'free', addresses });
      expect((await gateway.admin('/v1/keys', { method: 'POST', body })).status).toBe(400);
    },
  );
});

describe('an open WebSocket', () => {
  const sockets: WebSocket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  async function connect(key: string, path = '/echo'): Promise<{ socket: WebSocket; closed: Promise<number> }> {
    const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, { headers: { 'X-API-Key': key } });
    sockets.push(socket);
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', ({ message }) => reject(new Error(message)));
    });
    return { socket, closed };
  }

  const putPlan = async (id: string, operations: readonly string[] | null) => {
    const body = JSON.stringify({ name: id, limits, operations });
    expect((await gateway.admin(`/v1/plans/${id}`, { method: 'PUT', body })).status).toBeLessThan(300);
  };

  test.each<[string, (key: NewKey) => Promise<unknown>]>([
    ['its key is restricted to other operations', ({ id }) => patch(id, { operations: ['getEchoById'] })],
    ['its key is restricted to other addresses', ({ id }) => patch(id, { addresses: ['198.51.100.0/24'] })],
    ['its key gets a plan that does not include the operation', ({ id }) => patch(id, { plan: 'writer' })],
    ['its plan no longer includes the operation', () => putPlan('sockets', ['getEchoById'])],
  ])('is closed with 1008 when %s', async (_when, change) => {
    await putPlan('sockets', null);
    const own = await create({ plan: 'sockets' });
    const { closed } = await connect(own.key);
    await change(own);
    expect(await closed).toBe(1008);
  });

  test('stays open while a change still allows it', async () => {
    await putPlan('sockets', null);
    const [changed, forbidden] = [await create({ plan: 'sockets' }), await create({ plan: 'sockets' })];
    const open = [await connect(changed.key), await connect(changed.key, '/public')];
    const canary = await connect(forbidden.key);
    await patch(changed.id, { operations: ['tag:reading'], addresses: ['127.0.0.0/8'] });
    await putPlan('sockets', ['getEcho', 'postEcho']);
    await patch(forbidden.id, { operations: ['postEcho'] });
    // All connections are checked together, so the others have been checked once this one is closed.
    expect(await canary.closed).toBe(1008);
    expect(open.map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  });
});
