/**
 * An account can make only a limited number of changes in 24 hours. Otherwise it could fill the database, because the
 * audit log keeps every change forever.
 */
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { expectError } from '../../support/gateway/admin.ts';
import { startPortal } from '../../support/gateway/portal.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// The clock returns a different time for each call.
let now = Date.now();

// With 600 changes a minute and no daily limit, an account could store a gigabyte a day.
test('an account can make 1000 changes a day, and can still sign in, revoke keys and end sessions', async () => {
  const folder = tempFolder();
  const start = () => startPortal({ dataDir: folder.path, clock: () => ++now });
  const first = await start();
  const id = await first.account('hooli');
  const session = await first.signInAs(id);
  const { id: key } = (await session.post('/api/keys', { name: 'a key' })).body;
  await first.stop();
  // The sign-in and the creation of the key count as two changes.
  await addChanges(folder.path, id, 997);

  const portal = await start();
  const { cookie } = session;
  const again = Object.assign(portal.browser(), { cookie });
  const rename = (name: string) => again.call('PATCH', '/api/account', { json: { name } });
  expect((await rename('Hooli Ltd')).status).toBe(200);
  for (const refused of [await rename('Hooli'), await again.post('/api/keys', { name: 'one more' })]) {
    expectError(refused, 429, 'rate_limit_exceeded');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  }
  expect((await again.post(`/api/keys/${key}/revoke`, {})).status).toBe(200);
  const other = await portal.signInAs(id);
  const { items } = (await other.get('/api/sessions')).body;
  expect((await other.call('DELETE', `/api/sessions/${items[1].id}`)).status).toBe(204);

  await portal.stop();
  await addChanges(folder.path, id, 997);
  const last = await start();
  const token = await last.link(id);
  expectError(await last.browser().post('/api/session', { token }), 429, 'rate_limit_exceeded');
  now += 86_400_000;
  const later = await last.signInAs(id);
  expect((await later.post('/api/keys', { name: 'another' })).status).toBe(201);
  await last.stop();
  folder.remove();
}, 60_000);

/** Adds changes of an account to the audit log while the gateway is stopped. */
async function addChanges(dataDir: string, actor: string, count: number): Promise<void> {
  const database = await openSqliteDatabase(join(dataDir, 'tollgate.db'));
  const entry = { actor, action: 'account.update', subject: actor, at: ++now, reason: null, bulk_id: null };
  const rows = Array.from({ length: count }, () => ({ ...entry, before: null, after: null }));
  await database.transaction((tx) => tx.insertInto('audit').values(rows).execute());
  await database.close();
}

test('an account can create 20 keys a day for each key that it may have, including rotations', async () => {
  const portal = await startPortal();
  const session = await portal.signInAs(await portal.account('stark'));
  const statusesOfKeys: number[] = [];
  for (let count = 0; count < 50; count++) {
    const made = await session.post('/api/keys', { name: 'a key' });
    const rotated = await session.post(`/api/keys/${made.body.id}/rotate`, { graceSeconds: 0 });
    await session.post(`/api/keys/${rotated.body.id}/revoke`, {});
    statusesOfKeys.push(made.status, rotated.status);
  }
  expect(new Set(statusesOfKeys)).toEqual(new Set([201]));
  expectError(await session.post('/api/keys', { name: 'one more' }), 429, 'rate_limit_exceeded');
  await portal.stop();
});
