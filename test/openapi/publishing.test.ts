/** Services publish events with `context.publish` or over HTTP. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root, startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { tempFolder } from '../support/temp-folder.ts';

const notes = {
  name: 'notes',
  openapi: join(root, 'test/support/services/publishing.openapi.yaml'),
  module: join(root, 'test/support/services/publishing-service.ts'),
};

let folder: ReturnType<typeof tempFolder>;
let gateway: TestGateway;
const PUBLISHER = 'the-long-and-secret-token-of-the-notes';
const start = async () => {
  gateway = await startTestGateway({
    dataDir: folder.path,
    settings: {
      upstreams: [notes],
      adminTokens: [{ name: 'notes', role: 'publisher', upstream: 'notes', token: '${PUBLISHER}' }],
    },
    env: { PUBLISHER },
  });
};
beforeAll(async () => {
  folder = tempFolder();
  await start();
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

const publish = async (event: object): Promise<Record<string, unknown>> =>
  (await gateway.call('/notes', { method: 'POST', body: JSON.stringify(event) })).json() as never;

function storedEvents(): { source: string; type: string; data: string }[] {
  const database = new DatabaseSync(join(folder.path, 'tollgate.db'), { readOnly: true });
  try {
    return database.prepare('SELECT source, type, data FROM events ORDER BY sequence').all() as never;
  } finally {
    database.close();
  }
}

test('an event is stored for its upstream, and a repeated event is not stored again', async () => {
  const event = { type: 'note.taken', data: '{"text":"a","number":9007199254740993}', id: '1' };
  const first = await publish(event);
  expect(first).toEqual({ id: expect.stringMatching(/^evt_/), isNew: true });
  expect(await publish(event)).toEqual({ id: first['id'], isNew: false });
  expect(await publish({ type: 'note.hidden', data: '{}' })).toMatchObject({ isNew: true });
});

test('the module receives the reason why an event does not match the document', async () => {
  expect(await publish({ type: 'note.taken', data: '{"number":"1"}' })).toEqual({
    name: 'EventRefused',
    index: 0,
    message: 'cannot publish the event note.taken: /data/text is required; /data/number must be a whole number',
    details: [
      { path: '/data/text', message: 'is required' },
      { path: '/data/number', message: 'must be a whole number' },
    ],
  });
  expect(await publish({ type: 'pet.created', data: '{}' })).toMatchObject({
    message: expect.stringContaining('/type is not an event of notes. Its document has note.taken, note.hidden'),
  });
});

test('over HTTP, the token determines the upstream of an event', async () => {
  const response = await fetch(`${gateway.adminUrl}/v1/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${PUBLISHER}`, 'Content-Type': 'application/json' },
    // The module belongs to the same service and has already used this id.
    body: '{"type":"note.taken","data":{"text":"b"},"id":"1"}',
  });
  expect([response.status, await response.json()]).toEqual([200, { id: expect.any(String), isNew: false }]);
  expect((await gateway.admin('/v1/events', { method: 'POST', body: '{"type":"note.taken","data":{}}' })).status).toBe(
    403,
  );
});

test('a module can publish while it starts and stops, but not afterwards', async () => {
  await gateway.stop();
  const late = () => gateway.logs.map((line) => JSON.parse(line)).filter(({ msg }) => /late/.test(msg));
  await until(() => late().length > 0);
  expect(late()).toMatchObject([
    { msg: 'too late', err: { message: 'the upstream notes is closed: it can no longer publish events' } },
  ]);
  await start();
  const data = (text: string) => JSON.stringify({ text });
  // Leave out the gateway's own event, which is about the first key.
  const events = storedEvents().filter(({ source }) => source !== 'gateway');
  expect(events.map((event) => event.source)).toEqual(Array(5).fill('notes'));
  expect(events.map((event) => event.data)).toEqual([
    data('started'),
    '{"text":"a","number":9007199254740993}',
    '{}',
    data('stopped'),
    data('late'),
  ]);
});
