/** What the pet store tells, on a gateway that runs: from its database, by way of the relay, into the gateway's. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { until } from '../support/log-lines.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ID = '9007199254740993';

let folder: ReturnType<typeof tempFolder>;
let gateway: TestGateway;
beforeAll(async () => {
  folder = tempFolder();
  gateway = await startTestGateway({ dataDir: folder.path });
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

function rowsOf<Row>(file: string, sql: string): Row[] {
  const database = new DatabaseSync(join(folder.path, file), { readOnly: true });
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

const events = () =>
  rowsOf<{ source: string; type: string; subject: string; data: string; owner: null }>(
    'tollgate.db',
    `SELECT source, type, subject, data, owner FROM events WHERE source = 'petstore' ORDER BY sequence`,
  );

async function send(path: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': gateway.demoKey };
  expect((await gateway.call(path, { method: 'POST', body, headers })).status).toBe(201);
}

test('a change is told once, with all digits of its ids', async () => {
  const { demoKey } = gateway;
  await gateway.stop();
  const store = new DatabaseSync(join(folder.path, 'petstore.db'));
  for (const table of ['pets', 'orders']) {
    store.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run(BigInt(ID) - 1n, table);
  }
  store.close();
  gateway = { ...(await startTestGateway({ dataDir: folder.path })), demoKey };
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
  const told = { source: 'petstore', subject: ID, owner: null };
  expect(events()).toEqual(expected.map(([type, data]) => ({ ...told, type, data })));
  // The sample data of the first start were nobody's doing.
  await gateway.stop();
  expect(rowsOf('petstore.db', 'SELECT * FROM outbox')).toEqual([]);
  gateway = { ...(await startTestGateway({ dataDir: folder.path })), demoKey };
  await send('/pets', '{"name":"Tom","categoryId":1}');
  await until(() => events().length === 6);
});
