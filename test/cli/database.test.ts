import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrations } from '../../src/storage/migrations.ts';
import { openReadyPostgres } from '../support/servers/open-postgres.ts';
import { openSqliteDatabase } from '../../src/storage/sqlite.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { enterprise, free, createNewKey, pro, createSuccessor } from '../support/registry-data.ts';
import { type PostgresDatabases, query } from '../support/servers/postgres-databases.ts';
import { sharedPostgres } from '../support/servers/shared-servers.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('migrate', () => {
  const names = migrations.map(({ name }) => name);

  async function migrate(database: string, folder: string) {
    const env = { TOLLGATE_DATA_DIR: folder, TOLLGATE_DATABASE: database };
    return runCommand(['database', 'migrate'], { env });
  }

  test('pending migrations are applied and listed', async () => {
    const folder = tempFolder();
    const first = await migrate('sqlite:a.db', folder.path);
    expect(first).toMatchObject({ code: 0, out: `${names.join('\n')}\nThe database schema is now up to date.\n` });
    expect((await migrate('sqlite:a.db', folder.path)).out).toBe('The database schema is already up to date.\n');
    folder.remove();
  });

  test('the configuration file needs no settings except the database', async () => {
    const folder = tempFolder();
    const file = join(folder.path, 'gateway.yaml');
    const env = { TOLLGATE_CONFIG: file, TOLLGATE_DATA_DIR: folder.path };
    const run = () => runCommand(['database', 'migrate'], { env });
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('gateway.yaml') });
    writeFileSync(file, 'database: sqlite:other.db\nplans: none.yaml\nadminTokens: [{ token: "${NOT_SET}" }]\n');
    expect(await run()).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(folder.path, 'other.db'))).toBe(true);
    writeFileSync(file, 'database: nothing\n');
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('database must be sqlite:FILE') });
    folder.remove();
  });

  test('concurrent runs apply each migration once, and a database of a newer version is refused', async () => {
    const postgres = await sharedPostgres();
    const folder = tempFolder();
    try {
      const url = await postgres.createDatabase();
      const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(url, folder.path)));
      expect(runs.map(({ code, err }) => [code, err])).toEqual(runs.map(() => [0, '']));
      expect(runs.flatMap(({ out }) => out.split('\n').filter((line) => names.includes(line)))).toEqual(names);
      await query(url, `INSERT INTO migrations VALUES ('9999 of the future')`);
      expect(await migrate(url, folder.path)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/migrated by a newer version of Tollgate \(to "9999 of the future"/),
      });
    } finally {
      await postgres.dropDatabases();
      folder.remove();
    }
  });
});

describe('move', () => {
  const change = { actor: 'test', reason: 'why', at: 1_700_000_000_000 };
  let postgres: PostgresDatabases;
  let folder: ReturnType<typeof tempFolder>;
  let to: string;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  afterAll(() => postgres.dropDatabases());
  beforeEach(async () => {
    folder = tempFolder();
    to = await postgres.createDatabase();
  });
  afterEach(() => folder.remove());

  const move = () =>
    runCommand(['database', 'move', '--from', 'sqlite:tollgate.db', '--to', to], {
      env: { TOLLGATE_DATA_DIR: folder.path },
      answer: '',
    });

  type Work<T> = (registry: Registry, accounts: Accounts) => Promise<T>;
  const silent = pino({ level: 'silent' });
  const run = <T>(database: Database, work: Work<T>) => work(new Registry(database), new Accounts(database, silent));

  async function inFile<T>(work: Work<T>): Promise<T> {
    const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
    try {
      return await run(database, work);
    } finally {
      await database.close();
    }
  }

  async function inPostgres<T>(work: Work<T>): Promise<T> {
    const database = await openReadyPostgres(to, silent);
    try {
      return await run(database, work);
    } finally {
      await database.close();
    }
  }

  const everything = async (registry: Registry) => ({
    plans: await registry.listPlans(),
    keys: await registry.listKeys({}, { limit: 2000 }),
    audit: await registry.listAudit({}, { limit: 5000 }),
  });

  async function fill(registry: Registry): Promise<void> {
    await registry.seedPlans([free, pro, enterprise], change);
    const limits = { minute: 1, day: Number.MAX_SAFE_INTEGER };
    const key = await registry.createKey(createNewKey({ plan: 'enterprise', limits, name: 'Ünï' }), change);
    await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: 1_800_000_000_000 }, change);
    await registry.createKeys(
      Array.from({ length: 1200 }, () => createNewKey()),
      change,
    );
    await registry.touchKeys(new Map([[key.id, 60_000]]));
  }

  test('every row keeps its number, and new rows get higher numbers', async () => {
    const before = await inFile(async (registry) => {
      await fill(registry);
      return everything(registry);
    });
    const { code, out, err } = await move();
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Moved 3 plans, 1202 keys, 1206 audit, 1 claims,.* 1202 events\b/),
    });
    expect(err).toMatch(/\] 503 of 3614 rows[^]*\] 3614 of 3614 rows\n$/);
    await inPostgres(async (registry) => {
      expect(await everything(registry)).toEqual(before);
      const chain = before.keys.items.at(-1)!;
      const next = before.keys.items.at(-2)!;
      await registry.updateKey(next.id, { status: 'revoked' }, change);
      expect((await registry.getKey(chain.id))?.status).toBe('revoked');
      const { revision } = await registry.createKey(createNewKey(), change);
      expect(revision).toBeGreaterThan(before.audit.items[0]!.sequence);
      expect(await registry.seedPlans([free], change)).toBe(false);
      expect((await registry.listKeys({ search: 'ÜNÏ' }, { limit: 5 })).items).toHaveLength(2);
    });
  });

  test('accounts move with their sessions, links, identities and plan requests', async () => {
    const { at } = change;
    const cookie = 'tollgate-portal';
    const given = { owner: 'acme', name: 'Acme', email: 'ann@acme.example', plan: 'free' };
    const provider = { issuer: 'https://login.example.com', subject: 's', emailVerified: true, name: 'Ann' };
    const signUp = { policy: 'invite', plan: 'free' } as const;
    const who = { address: '192.0.2.1', userAgent: 'X', cookie, at };
    const before = await inFile(async (registry, accounts) => {
      await registry.seedPlans([free, pro], change);
      const { id } = await accounts.create(given, change);
      await accounts.findByIdentity({ ...provider, email: given.email }, signUp, at);
      const { token } = await accounts.createLink(id, 60_000, change);
      const { secret } = (await accounts.sessions.start({ ...who, user: { method: 'link', accountId: id } }))!;
      const request = await accounts.planRequests.create(id, { plan: 'pro', message: '' }, change);
      return { account: (await accounts.get(id))!, token, secret, request };
    });
    expect(await move()).toMatchObject({ code: 0 });
    await inPostgres(async (_, accounts) => {
      const { account, token, secret, request } = before;
      expect(await accounts.get(account.id)).toEqual(account);
      expect(await accounts.findByIdentity({ ...provider, email: null }, signUp, at)).toEqual(account);
      expect(await accounts.spendLink(token, at)).toEqual(account);
      expect(await accounts.sessions.find(cookie, secret, at)).toMatchObject({ account });
      expect(await accounts.planRequests.get(request.id)).toEqual(request);
      // New records get higher numbers than the moved ones.
      await accounts.planRequests.decline(request.id, change);
      const next = await accounts.planRequests.create(account.id, { plan: 'pro', message: '' }, change);
      const { items } = await accounts.planRequests.list({}, { limit: 5 });
      expect(items.map(({ id }) => id)).toEqual([next.id, request.id]);
      await accounts.create({ ...given, owner: 'b', email: null }, change);
      expect((await accounts.list({}, { limit: 5 })).items.map(({ owner }) => owner)).toEqual(['b', 'acme']);
    });
  });

  test('a target that is not empty is refused, and a failed move leaves nothing behind', async () => {
    await inFile(fill);
    await inPostgres((registry) => registry.seedPlans([pro], change));
    expect(await move()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^tollgate: the target is not empty \(it has rows in plans\)/),
    });
    await query(to, 'DELETE FROM plans; DELETE FROM audit; DELETE FROM claims');
    await query(to, 'ALTER TABLE audit ADD CHECK (sequence < 700)');
    await expect(move()).rejects.toThrow(/violates check constraint/);
    expect(await query(to, 'SELECT count(*) AS n FROM keys')).toEqual([{ n: '0' }]);
    await query(to, 'ALTER TABLE audit DROP CONSTRAINT audit_sequence_check');
    expect(await move()).toMatchObject({ code: 0 });
  });

  test('a source that does not exist or is in use is refused', async () => {
    expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('there is no database') });
    await inFile(async () => {
      expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(/in use by process/) });
    });
  });

  test('the error about an unreachable target does not contain its password', async () => {
    await inFile(fill);
    to = 'postgres://a:hush@127.0.0.1:1/b';
    const { code, err } = await move();
    expect([code, err]).toEqual([1, expect.stringMatching(/^tollgate: PostgreSQL cannot be reached \(ECONNREFUSED\)/)]);
  });
});
