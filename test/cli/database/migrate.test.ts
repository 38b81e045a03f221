import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { migrations } from '../../../src/storage/migrations.ts';
import { runCommand } from '../../support/gateway/cli.ts';
import { root } from '../../support/gateway/gateway.ts';
import { PostgresServer } from '../../support/servers/postgres-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const names = migrations.map(({ name }) => name);

async function migrate(database: string, folder: string) {
  const env = {
    TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'),
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_DATABASE: database,
    TOLLGATE_STORE: 'redis://127.0.0.1',
    TOLLGATE_ADMIN_TOKEN: 'a-token-of-thirty-two-characters',
  };
  return runCommand(['database', 'migrate'], { env });
}

test('makes the tables of a file, and says which steps were missing', async () => {
  const folder = tempFolder();
  const first = await migrate('sqlite:a.db', folder.path);
  expect(first).toMatchObject({ code: 0, out: `${names.join('\n')}\nThe database is up to date now.\n` });
  expect((await migrate('sqlite:a.db', folder.path)).out).toBe('The database is up to date.\n');
  folder.remove();
});

test('several at once run each step once; a database that is newer is refused', async () => {
  const server = await PostgresServer.start();
  const folder = tempFolder();
  try {
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(server.url(), folder.path)));
    expect(runs.map(({ code, err }) => [code, err])).toEqual(runs.map(() => [0, '']));
    expect(runs.flatMap(({ out }) => out.split('\n').filter((line) => names.includes(line)))).toEqual(names);
    await server.query(`INSERT INTO migrations VALUES ('9999 of the future')`);
    expect(await migrate(server.url(), folder.path)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/migrated by a newer Tollgate \(to "9999 of the future"/),
    });
  } finally {
    await server.stop();
    folder.remove();
  }
}, 60_000);
