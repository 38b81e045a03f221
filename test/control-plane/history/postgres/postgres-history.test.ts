import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PostgresConnections } from '../../../../src/control-plane/history/postgres/postgres-connections.ts';
import { PostgresReports } from '../../../../src/control-plane/history/postgres/postgres-reports.ts';
import { historyStoreContract } from '../../../contract/history-store.contract.ts';
import { postgresHistoryDatabase } from '../../../support/history/history-database.ts';
import type { PostgresDatabases } from '../../../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../../../support/servers/shared-servers.ts';

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres.dropDatabases());

historyStoreContract('PostgreSQL', () => postgresHistoryDatabase(postgres));

test('a report uses one core of PostgreSQL, while other statements may use several', async () => {
  const settings = ['parallel_setup_cost=0', 'parallel_tuple_cost=0', 'min_parallel_table_scan_size=0'];
  const options = encodeURIComponent(settings.map((setting) => `-c ${setting}`).join(' '));
  const url = await postgres.borrowDatabase();
  const limits = { connections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 };
  const connections = new PostgresConnections({
    url: `${url}?options=${options}`,
    purpose: 'test',
    ...limits,
  });
  const plan = 'EXPLAIN SELECT sum(relpages) FROM pg_class';
  expect(JSON.stringify(await connections.rows(plan, []))).toContain('Gather');
  const inReport = await new PostgresReports(connections).run((reader) => reader.rows(plan, []));
  expect(JSON.stringify(inReport)).toContain('Aggregate');
  expect(JSON.stringify(inReport)).not.toContain('Gather');
  await connections.close();
  await postgres.releaseDatabase(url);
});
