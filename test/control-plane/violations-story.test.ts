/**
 * Three owners send requests that do not fit the document. Two of them get an event and change their clients. The third
 * is exempted, so `enforce` then refuses no request until the exemption ends. Before that, a candidate shows whom the
 * next version of the document would refuse.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type Portal, startPortal } from '../support/gateway/portal.ts';
import type { PostgresDatabases } from '../support/servers/postgres-databases.ts';
import { type RedisDatabase, sharedPostgres, sharedRedis } from '../support/servers/shared-servers.ts';
import { type HttpService, listening } from '../support/services/http-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { Endpoint } from '../support/webhooks/endpoint.ts';

const DAY = 86_400_000;
/** The clock begins at noon, so that the test does not pass midnight, because events are sent once a day. */
const START = Date.now();
const NOON = START - (START % DAY) + DAY / 2;
let daysLater = 0;
const clock = () => NOON + daysLater * DAY + (Date.now() - START);

const petSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', examples: ['Rex'] },
    status: { type: 'string', enum: ['available', 'pending', 'sold'] },
    age: { type: 'integer' },
  },
};
const petDocument = (schema: object = petSchema) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        parameters: [{ name: 'limit', in: 'query', example: 20, schema: { type: 'integer' } }],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 200: { description: 'OK' } },
      },
    },
  },
});
/** The schema of the next version. It requires a new field, and allows fewer values of another field. */
const nextSchema = {
  ...petSchema,
  required: ['name', 'age'],
  properties: { ...petSchema.properties, status: { enum: ['available', 'sold'] } },
};

const folder = temporaryDirectory();
const openapi = join(folder, 'pets.json');
const candidate = join(folder, 'next.json');
writeFileSync(openapi, JSON.stringify(petDocument()));

let service: HttpService;
let postgres: PostgresDatabases;
let redis: RedisDatabase;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([sharedPostgres(), sharedRedis()]);
  service = await listening(createServer((req, res) => req.resume().on('end', () => res.end('ok'))));
});
afterAll(async () => {
  await service.close();
  await postgres.dropDatabases();
  await redis.release();
});

interface Violations {
  readonly mode: string;
  readonly items: readonly Record<string, unknown>[];
  readonly totals: object | null;
}

describe.each([
  ['SQLite', () => Promise.resolve({})],
  ['PostgreSQL', async () => ({ database: await postgres.borrowDatabase(), store: redis.url })],
])('with %s,', (_name, storage) => {
  let portal: Portal;
  let endpoint: Endpoint;
  const keys = new Map<string, { readonly id: string; readonly key: string }>();
  const accounts = new Map<string, string>();

  const upstream = { name: 'pets', openapi, targets: [''] };
  const findSecret = (owner: string) => keys.get(owner)?.key ?? '';
  const post = async (owner: string, body: object, query = '') => {
    const response = await portal.gateway.call(`/pets${query}`, {
      method: 'POST',
      key: findSecret(owner),
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });
    return { status: response.status, text: await response.text() };
  };
  const read = (query: string): Promise<Violations> =>
    portal.admin('GET', `/v1/operations/addPet/violations?${query}`) as Promise<Violations>;
  const figuresBy = async (by: 'owner' | 'rule', query = '') =>
    Object.fromEntries(
      (await read(`by=${by}&${query}`)).items.map(({ owner, rule, path, requests, refused }) => [
        by === 'owner' ? owner : `${String(rule)} ${String(path)}`,
        [requests, refused],
      ]),
    );
  /** Waits until the stored counts are the expected ones. */
  const untilFigures = async (expected: object, ...query: Parameters<typeof figuresBy>) => {
    await until(
      async () => JSON.stringify(sorted(await figuresBy(...query))) === JSON.stringify(sorted(expected)),
    ).catch(async () => expect(await figuresBy(...query)).toEqual(expected));
  };
  /** Changes the upstream in the configuration file, and reloads the file. */
  const reload = async (change: object) => {
    const file = join(portal.gateway.dataDir, 'gateway.yaml');
    const settings = parse(readFileSync(file, 'utf8')) as { upstreams: object[] };
    settings.upstreams = [{ ...upstream, targets: [service.url], ...change }];
    writeFileSync(file, stringify(settings));
    await portal.admin('POST', '/v1/config/reload', {});
  };
  const exempt = (owner: string, validation: 'report' | null) =>
    portal.admin('PATCH', `/v1/keys/${keys.get(owner)?.id}`, { validation });

  beforeAll(async () => {
    endpoint = await Endpoint.start();
    portal = await startPortal({
      settings: {
        ...(await storage()),
        upstreams: [{ ...upstream, targets: [service.url], validation: 'report' }],
        events: { allowPrivate: true },
      },
      clock,
    });
    for (const owner of ['acme', 'beta', 'gamma', 'delta']) {
      const accountId = await portal.account(owner);
      accounts.set(owner, accountId);
      keys.set(owner, await portal.admin('POST', '/v1/keys', { name: owner, owner, plan: 'free' }));
      const url = `${endpoint.url}${owner}`;
      await portal.admin('POST', '/v1/webhooks', { accountId, url, types: ['operation.invalid_call'] });
    }
  });
  afterAll(async () => {
    await portal.stop();
    await endpoint.stop();
  });

  test('report refuses no request, and lists the owners whose requests do not fit the document', async () => {
    const responses = [
      await post('acme', { age: 1 }),
      await post('acme', { age: 2 }),
      await post('beta', { name: 'Rex', status: 'asleep' }),
      await post('gamma', { name: 'Rex' }, '?limit=many'),
      await post('delta', { name: 'Rex', status: 'sold' }, '?limit=3'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await untilFigures({ acme: [2, 0], beta: [1, 0], gamma: [1, 0] }, 'owner');
    const { mode, items, totals } = await read('by=owner');
    expect(mode).toBe('report');
    expect(totals).toMatchObject({ owners: 3, keys: 3, exemptKeys: 0, requests: 4, refused: 0 });
    const acme = {
      owner: 'acme',
      keys: 1,
      exemptKeys: 0,
      topRules: [{ rule: 'required', path: '/name', requests: 2 }],
    };
    expect(items[0]).toMatchObject(acme);
    const { items: operations } = await portal.admin('GET', '/v1/violations');
    expect(operations).toEqual([
      expect.objectContaining({ operation: 'addPet', mode: 'report', keys: 3, requests: 4 }),
    ]);
  });

  test('each owner gets one event, and sees only the rules that its own requests broke, with an example', async () => {
    await until(() => endpoint.requests.length >= 3);
    const told = endpoint.requests.map(({ path, body }) => {
      const { data } = JSON.parse(body) as { data: Record<string, unknown> };
      return `${path} ${String(data['rule'])} ${String(data['place'])} ${String(data['refused'])}`;
    });
    expect(told.toSorted()).toEqual([
      '/acme required /name false',
      '/beta enum /status false',
      '/gamma type /query/limit false',
    ]);
    const seenBy = async (owner: string) => {
      const consumer = await portal.signInAs(accounts.get(owner) ?? '');
      return (await consumer.get('/api/violations')).body;
    };
    const call = { operation: 'addPet', method: 'POST', path: '/pets', mode: 'report', refused: 0, keys: 1 };
    const times = { firstAt: expect.any(String), lastAt: expect.any(String) };
    expect((await seenBy('acme')).items).toEqual([
      { ...call, ...times, rule: 'required', place: '/name', example: '"Rex"', requests: 2 },
    ]);
    expect((await seenBy('beta')).items).toMatchObject([{ rule: 'enum', place: '/status', example: '"available"' }]);
    expect((await seenBy('gamma')).items).toMatchObject([{ rule: 'type', place: '/query/limit', example: '20' }]);
    expect(await seenBy('delta')).toMatchObject({ compared: true, items: [] });
    const withKey = await portal.signInWith(findSecret('beta'));
    expect((await withKey.get('/api/violations')).body.items).toMatchObject([{ rule: 'enum', place: '/status' }]);
    const notOwn = await withKey.get(`/api/violations?key=${keys.get('acme')?.id}`);
    expect(notOwn.status).toBe(404);
  });

  test('a candidate document has its own counts of requests that do not fit, which a reload resets', async () => {
    writeFileSync(candidate, JSON.stringify(petDocument(nextSchema)));
    await reload({ validation: 'report', candidate });
    const valid = await post('delta', { name: 'Rex', status: 'pending' });
    expect(valid.status).toBe(200);
    await untilFigures({ 'required /age': [1, 0], 'enum /status': [1, 0] }, 'rule', 'document=candidate');
    expect(await figuresBy('owner', 'document=candidate')).toEqual({ delta: [1, 0] });
    expect(await figuresBy('owner')).toEqual({ acme: [2, 0], beta: [1, 0], gamma: [1, 0] });
    const all = await portal.admin('GET', '/v1/violations?document=candidate&by=rule');
    expect(all.items.map(({ rule, place }: Record<string, string>) => `${rule} ${place}`).toSorted()).toEqual([
      'enum /status',
      'required /age',
    ]);

    writeFileSync(candidate, JSON.stringify(petDocument({ ...nextSchema, required: ['name'] })));
    await reload({ validation: 'report', candidate });
    expect(await figuresBy('owner', 'document=candidate')).toEqual({});
    await post('delta', { name: 'Rex', status: 'pending' });
    await post('delta', { name: 'Rex', status: 'sold' });
    await untilFigures({ 'enum /status': [1, 0] }, 'rule', 'document=candidate');
    expect(endpoint.requests).toHaveLength(3);
  });

  test('enforce refuses neither valid requests nor those of an exempt key, until its exemption ends', async () => {
    await exempt('gamma', 'report');
    await reload({ validation: 'enforce' });
    const good = await Promise.all(['acme', 'beta', 'delta'].map((owner) => post(owner, { name: 'Rex' }, '?limit=1')));
    expect(good.map(({ status }) => status)).toEqual([200, 200, 200]);
    const bad = () => post('gamma', { name: 'Rex' }, '?limit=many');
    expect((await bad()).status).toBe(200);
    await untilFigures({ acme: [2, 0], beta: [1, 0], gamma: [2, 0] }, 'owner');
    expect((await read('by=owner&owner=gamma')).items).toMatchObject([{ exemptKeys: 1 }]);

    await exempt('gamma', null);
    await until(async () => (await bad()).status === 400);
    expect(JSON.parse((await bad()).text)).toMatchObject({
      code: 'validation_failed',
      details: [{ path: '/query/limit' }],
    });
    await until(async () => Number((await read('by=owner&owner=gamma')).items[0]?.['refused']) >= 2);
    expect(endpoint.requests).toHaveLength(3);
    const { items: entries } = await portal.admin('GET', `/v1/audit?subject=${keys.get('gamma')?.id}`);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['key.update', 'key.update', 'key.create']);
  });

  test('an owner whose requests still do not fit on the next day gets one more event', async () => {
    daysLater++;
    const bad = () => post('gamma', { name: 'Rex' }, '?limit=many');
    expect([(await bad()).status, (await bad()).status]).toEqual([400, 400]);
    await until(() => endpoint.requests.length >= 4);
    const data = endpoint.requests
      .slice(3)
      .map(({ path, body }) => [path, (JSON.parse(body) as { data: object }).data]);
    expect(data).toEqual([['/gamma', expect.objectContaining({ rule: 'type', place: '/query/limit', refused: true })]]);
  });
});

function sorted(figures: object): unknown[] {
  return Object.entries(figures).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
