/**
 * The events of the pet store on a running gateway are passed from its database through the relay to webhooks, the API
 * and the CLI.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runCommand } from '../../support/gateway/cli.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { until } from '../../support/until.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { Endpoint } from '../../support/webhooks/endpoint.ts';

const ID = '9007199254740993';

let folder: ReturnType<typeof tempFolder>;
let gateway: TestGateway;
let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await Endpoint.start();
  folder = tempFolder();
  gateway = await startTestGateway({ dataDir: folder.path });
});
afterAll(async () => {
  await gateway.stop();
  await endpoint.stop();
  folder.remove();
});

function readRows<Row>(file: string, sql: string): Row[] {
  const database = new DatabaseSync(join(folder.path, file), { readOnly: true });
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

const events = () =>
  readRows<{ source: string; type: string; subject: string; data: string; owner: null }>(
    'tollgate.db',
    `SELECT source, type, subject, data, owner FROM events WHERE source = 'petstore' ORDER BY sequence`,
  );

async function send(path: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': gateway.demoKey };
  expect((await gateway.call(path, { method: 'POST', body, headers })).status).toBe(201);
}

const endingIn = (data: string) => expect.stringMatching(new RegExp(`"data":${data.replaceAll(/[{}]/g, '\\$&')}}$`));

test('each change of the pet store is published once, with all digits of its ids', async () => {
  const { demoKey } = gateway;
  await gateway.stop();
  const store = new DatabaseSync(join(folder.path, 'petstore.db'));
  for (const table of ['pets', 'orders']) {
    store.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run(BigInt(ID) - 1n, table);
  }
  store.close();
  const settings = { events: { allowPrivate: true } };
  gateway = { ...(await startTestGateway({ dataDir: folder.path, settings })), demoKey };
  const webhook = JSON.stringify({ url: endpoint.url, types: ['*'] });
  expect((await gateway.admin('/v1/webhooks', { method: 'POST', body: webhook })).status).toBe(201);
  await send('/pets', '{"name":"Rex","categoryId":1}');
  await send('/store/orders', `{"petId":${ID}}`);
  await until(() => events().length === 5);
  const pet = (status: string) => `{"id":${ID},"name":"Rex","categoryId":1,"status":"${status}"}`;
  const expected = [
    ['pet.created', `{"pet":${pet('available')}}`],
    ['order.created', `{"order":{"id":${ID},"petId":${ID},"quantity":1,"complete":false}}`],
    ['pet.updated', `{"pet":${pet('pending')},"before":${pet('available')}}`],
    ['inventory.changed', `{"petId":${ID},"quantity":0,"before":1}`],
    ['inventory.depleted', `{"petId":${ID}}`],
  ];
  const about = { source: 'petstore', subject: ID, owner: null };
  expect(events()).toEqual(expected.map(([type, data]) => ({ ...about, type, data })));
  const inOrder = expected.map(([, data]) => data ?? '');
  await until(() => endpoint.requests.length === 5);
  for (const data of inOrder) expect(endpoint.requests.map(({ body }) => body)).toContainEqual(endingIn(data));
  const listed = await (await gateway.admin(`/v1/events?subject=${ID}`)).text();
  for (const data of inOrder) expect(listed).toContain(`"data":${data}}`);
  const env = { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: gateway.adminToken };
  for (const form of [[], ['--json']]) {
    const { out } = await runCommand(['events', 'list', '--type', 'inventory.depleted', ...form], { env });
    expect(out).toMatch(new RegExp(`petId"?:? ${ID}\\b`));
  }
  // The pet store creates sample data at its first start, which must publish no events.
  await gateway.stop();
  expect(readRows('petstore.db', 'SELECT * FROM outbox')).toEqual([]);
  gateway = { ...(await startTestGateway({ dataDir: folder.path })), demoKey };
  await send('/pets', '{"name":"Tom","categoryId":1}');
  await until(() => events().length === 6);
});
