import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { listAccounts } from '../../../src/control-plane/accounts/account-rows.ts';
import { listEvents } from '../../../src/control-plane/events/event-outbox.ts';
import { selectAudit, listUnendedBans } from '../../../src/control-plane/registry/audit-log.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { listWebhooks } from '../../../src/control-plane/webhooks/webhook-rows.ts';
import { registryContract } from '../../contract/registry.contract.ts';
import { free, createNewKey } from '../../support/registry-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';

registryContract('SQLite', async () => {
  const folder = tempFolder();
  const file = join(folder.path, 'tollgate.db');
  let database = await openSqliteDatabase(file);
  return {
    registry: new Registry(database),
    database,
    peer: async () => new Registry(database),
    async reopen() {
      await database.close();
      database = await openSqliteDatabase(file);
      return new Registry(database);
    },
    async dispose() {
      await database.close();
      folder.remove();
    },
  };
});

const change = { actor: 'test', reason: null, at: 1 };

test('a read-only database rejects writes as unavailable, and recovers', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const key = createNewKey();

  database.sqlite.exec('PRAGMA query_only = ON');
  await expect(registry.createKey(key, change)).rejects.toThrow(StoreUnavailable);
  expect(await registry.getPlan('free')).toMatchObject(free);
  database.sqlite.exec('PRAGMA query_only = OFF');
  expect(await registry.createKey(key, change)).toMatchObject(key);

  await database.close();
  folder.remove();
});

test('the last uses of thousands of keys are all recorded', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const keys = Array.from({ length: 2500 }, () => createNewKey());
  await registry.createKeys(keys, change);

  await registry.touchKeys(new Map(keys.map(({ id }) => [id, 60_000])));
  const untouched = database.sqlite.prepare('SELECT count(*) AS n FROM keys WHERE last_used_at IS NULL').get();
  expect(untouched).toEqual({ n: 0 });

  await database.close();
  folder.remove();
});

test('a change of keys writes only the changed columns, and therefore does not update the search index', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  await registry.seedPlans([free], change);
  const keys = [createNewKey(), createNewKey()];
  await registry.createKeys(keys, change);
  database.sqlite.exec(`CREATE TRIGGER names_are_written AFTER UPDATE OF name ON keys
    BEGIN SELECT RAISE(ABORT, 'a name was written'); END`);

  const [first, second] = keys.map(({ id }) => id);
  expect(await registry.updateKey(first!, { status: 'disabled' }, change)).toMatchObject({ status: 'disabled' });
  const request = { action: 'disable', filter: { ids: [second!] }, seconds: null } as const;
  const one = await registry.bulk.start(
    request,
    { ids: [second!], targets: [second!], lastUses: [] },
    'digest',
    change,
  );
  expect(await registry.bulk.continue(one, change)).toMatchObject({ done: 1, changed: 1 });
  await expect(registry.updateKey(first!, { name: 'other' }, change)).rejects.toThrow('a name was written');

  await database.close();
  folder.remove();
});

test('lists of accounts, webhooks, events and active bans have an index for each of their orders', async () => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const registry = new Registry(database);
  for (const subject of ['key_1', 'key_2']) {
    const times = { from: '2026-06-15T12:00:00.000Z', until: '2026-06-15T13:00:00.000Z' };
    const after = { ...times, level: 0, manual: true };
    await registry.appendAudit({ ...change, action: 'ban.start', subject, before: null, after });
  }
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const page = { limit: 10 };
  await database.read(async (queries) => {
    const recorded = queries.withPlugin(recorder);
    for (const descending of [true, false]) {
      const accountSorts = ['createdAt', 'name', 'owner', 'email', 'plan', 'status', 'lastSignInAt'] as const;
      for (const by of accountSorts) await listAccounts(recorded, {}, page, { by, descending });
      for (const by of ['createdAt', 'name', 'status'] as const) {
        await listWebhooks(recorded, 'operators', {}, page, { by, descending });
      }
      await listWebhooks(recorded, 'operators', { isFailing: true }, page, { by: 'createdAt', descending });
      await listEvents(recorded, { type: 'key.created' }, page, { by: 'written', descending });
    }
    const { dialect } = database;
    const next = (await listUnendedBans({ queries, dialect }, {}, 1, { limit: 1 }, false)).nextCursor ?? undefined;
    expect(next).toBeDefined();
    await listUnendedBans({ queries: recorded, dialect }, {}, 1, { limit: 10, cursor: next }, false);
  });
  const plans = await database.read(async (queries) =>
    nodes.map((node) => {
      const { sql, parameters } = queries.getExecutor().compileQuery(node, createQueryId());
      const rows = database.sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as string[]));
      return rows.map(({ detail }) => String(detail)).join('; ');
    }),
  );
  expect(plans.slice(0, -1).filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([]);
  expect(plans.filter((plan) => plan.includes('failing_webhooks'))).toHaveLength(2);

  expect(plans.at(-1)).toMatch(/^SEARCH audit USING INDEX bans_by_end /);
  await database.close();
  folder.remove();
});

test.each([
  [{ subject: 'key_1', action: 'ban.start' }],
  [{ subject: 'key_1', actor: 'admin' }],
  [{ subject: ['key_1', 'key_2'], action: 'ban.lift', actor: 'admin' }],
])('a search of the audit log for %o reads only the entries of the subjects', async (filter) => {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const compiled = await database.read(async (queries) => selectAudit(queries, filter).compile());
  const plan = database.sqlite.prepare(`EXPLAIN QUERY PLAN ${compiled.sql}`).all(...(compiled.parameters as string[]));
  expect(plan[0]).toMatchObject({ detail: expect.stringMatching(/^SEARCH audit USING INDEX audit_by_subject /) });
  await database.close();
  folder.remove();
});
