/**
 * The gateway once counted all keys of an account to limit them, including keys that were revoked long ago. With
 * 300,000 keys, each creation occupied a gateway on SQLite for 64 ms, and each refused creation for 50 ms.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { pino } from 'pino';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import type { Database } from '../../../src/storage/database.ts';
import { openDatabase } from '../../../src/storage/open.ts';
import type { Queries } from '../../../src/storage/tables.ts';
import { free, createNewKey, pro } from '../../support/registry-data.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const logger = pino({ level: 'silent' });
const AT = 1_750_000_000_000;
const change = { actor: 'acc_someone', reason: null, at: AT };

let server: PostgresServer;
const folder = tempFolder();
beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

test.each([
  ['SQLite', async () => ({ kind: 'sqlite', file: join(folder.path, 'test.db') }) as const, 'EXPLAIN QUERY PLAN'],
  ['PostgreSQL', async () => ({ kind: 'postgres', url: await server.createDatabase() }) as const, 'EXPLAIN'],
])('on %s, changes of an account with many keys do not read the revoked ones', async (_, createPlace, explain) => {
  const database = await openDatabase(await createPlace(), logger);
  const registry = new Registry(database);
  await registry.seedPlans([free, pro], change);
  const account = await new Accounts(database, logger).create(
    { owner: 'acme', name: 'Acme', email: null, plan: 'free' },
    change,
  );
  const { quotaId } = account;
  const past = { status: 'revoked', quotaId, createdAt: 1 } as const;
  await registry.createKeys(
    Array.from({ length: 5000 }, () => createNewKey(past)),
    change,
  );
  await registry.createKeys(
    Array.from({ length: 5000 }, () => createNewKey({ quotaId: 'other', createdAt: 1 })),
    change,
  );
  if (database.dialect.name === 'postgres') await database.read((queries) => run(queries, 'ANALYZE'));

  const recorded = recordQueries(database);
  const accounts = new Accounts(recorded.database, logger);
  await accounts.createKey(account.id, { name: 'a' }, { maxKeys: 1 }, change);
  await expect(accounts.createKey(account.id, { name: 'a' }, { maxKeys: 1 }, change)).rejects.toThrow('already has 1');
  await accounts.checkChanges(account.id, AT);
  await accounts.createLink(account.id, 1, change);
  await accounts.update(account.id, { plan: 'pro' }, change);

  const plans: string[] = [];
  await database.read(async (queries) => {
    for (const node of recorded.nodes) {
      const { sql, parameters } = queries.getExecutor().compileQuery(node, createQueryId());
      const readsMany = sql.startsWith('select') && /"quota_id" = |BETWEEN/.test(sql);
      if (readsMany) plans.push(JSON.stringify(await run(queries, `${explain} ${sql}`, parameters)));
    }
  });
  // Two queries are about the keys, and one each about keys created in 24 hours, changes, links, and keys that move.
  expect(plans).toHaveLength(6);
  const [usable, perDay, again, changes, links, moved] = plans;
  for (const plan of [usable, again, moved]) expect(plan).toContain('keys_not_revoked');
  expect(perDay).toContain('keys_by_quota');
  expect(changes).toContain('audit_by_actor');
  expect(links).toContain('audit_by_subject');
  await database.close();
});

async function run(queries: Queries, text: string, parameters: readonly unknown[] = []): Promise<readonly unknown[]> {
  return (await queries.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows;
}

/** Records the queries that are run on a database. */
function recordQueries(database: Database): { readonly database: Database; readonly nodes: RootOperationNode[] } {
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    nodes,
    database: {
      ...database,
      dialect: database.dialect,
      lookUp: (work) => database.lookUp((queries) => work(queries.withPlugin(recorder))),
      transaction: (work) => database.transaction((tx, announce) => work(tx.withPlugin(recorder), announce)),
    },
  };
}
