import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret } from '../../src/domain/key-format.ts';
import { readCsv } from '../../src/cli/csv.ts';
import { createProxy, type Proxy } from '../support/gateway/admin-proxy.ts';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { servedOperation } from '../support/gateway/served-operation.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin({ served: [servedOperation('getPet'), servedOperation('listPets')] });
  cli = createCli(admin);
});
afterEach(() => admin.stop());

const IMPORT = ['keys', 'import', 'keys.csv', '--output', 'secrets.csv'];
const output = () => join(admin.folder, 'secrets.csv');
const write = (...lines: readonly string[]) => writeFileSync(join(admin.folder, 'keys.csv'), lines.join('\n'));
const created = async () => (await cli.json('keys', 'list', '--all')).items;
const many = (count: number) => Array.from({ length: count }, (_, index) => `bulk,key ${index},free`);

test('keys are created in order, and their secrets go into a file that only its owner can read', async () => {
  const time = '2030-01-01T00:00:00Z';
  write(
    'name,owner,plan,month,day,minute,concurrent,expiresAt,operations,addresses,validation',
    '"Feed, ""own""",acme,enterprise,500,50,5,,,,,',
    `b,acme,free,,,,7,${time},"getPet, listPets","192.0.2.0/24,2001:db8::1",report`,
  );
  expect(await cli.text(...IMPORT, '--reason', 'migration')).toBe(
    `Created 2 keys. The secrets are in ${output()}, which only you can read.\n`,
  );
  expect(statSync(output()).mode & 0o777).toBe(0o600);
  const [header, ...rows] = readCsv(readFileSync(output(), 'utf8')).records.map(({ cells }) => cells);
  expect(header?.join()).toBe(
    'owner,name,plan,minute,day,month,concurrent,expiresAt,operations,addresses,validation,externalId,id,key',
  );
  expect(rows.map((row) => row.slice(0, 11))).toEqual([
    ['acme', 'Feed, "own"', 'enterprise', '5', '50', '500', '', '', '', '', ''],
    [
      'acme',
      'b',
      'free',
      '',
      '',
      '',
      '7',
      '2030-01-01T00:00:00.000Z',
      'getPet,listPets',
      '192.0.2.0/24,2001:db8::1',
      'report',
    ],
  ]);
  const restrictions = {
    concurrent: 7,
    operations: ['getPet', 'listPets'],
    addresses: ['192.0.2.0/24', '2001:db8::1'],
    validation: 'report',
  };
  expect((await created())[0]).toMatchObject(restrictions);
  for (const [id, secret = ''] of rows.map((row) => row.slice(12))) {
    expect(await admin.registry.findCredential(hashSecret(secret))).toMatchObject({ keyId: id });
  }
  expect((await admin.get('/v1/audit?actor=ops')).body.items[0]).toMatchObject({ reason: 'migration' });
});

test('--json prints the number of keys and no secret', async () => {
  write('owner,name,plan', ...many(3));
  expect(await cli.json(...IMPORT)).toEqual({ imported: 3, unchanged: 0, output: output() });
});

test('progress is shown at a terminal', async () => {
  write('owner,name,plan', ...many(600));
  const { code, out, err } = await cli.run(IMPORT, { answer: '' });
  expect([code, out]).toEqual([0, expect.stringMatching(/^Created 600 keys\./)]);
  expect(err.split('\r').map((text) => text.slice(33))).toEqual(
    ['', '0 of 600 keys', '250 of 600 keys', '500 of 600 keys', '600 of 600 keys\n'].map((text) => text),
  );
  expect(await created()).toHaveLength(600);
});

describe('all errors are reported before the first key is created', () => {
  async function expectErrors(...errors: readonly string[]): Promise<void> {
    const { code, out, err } = await cli.run(IMPORT);
    expect([code, out]).toEqual([1, '']);
    expect(err.trimEnd().split('\n')).toEqual([
      'tollgate: no keys were created, because keys.csv has errors:',
      ...errors.map((error) => `  ${error}`),
    ]);
    expect(await created()).toEqual([]);
    expect(existsSync(output())).toBe(false);
  }

  test('each error names the line', async () => {
    write(
      'owner,name,plan,minute,day,expiresAt',
      'acme,good,free,,,',
      'äcme,,free,,,soon',
      'acme,"two\nlines",free,,,',
      'acme,a,gold,,,2020-01-01T00:00:00Z',
      'acme,a,free,1,2,',
      'acme,a,enterprise,,,',
      'acme,a,enterprise,5,,',
      'acme,a,enterprise,five,1e3,',
      'acme,a,enterprise,9,5,',
      'acme,a,free',
      'acme,a"b,free,,,',
      `acme,tg_live_${'0'.repeat(38)},free,,,`,
      'acme,a\u202eb,free,,,',
    );
    await expectErrors(
      'line 3: name must have at least 1 character',
      'line 3: owner must be printable ASCII without leading or trailing spaces',
      'line 3: expiresAt must be an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z',
      'line 4: name must be text without control characters, and not blank',
      'line 6: expiresAt must be in the future',
      'line 6: there is no plan gold',
      'line 7: plan free has its own limits: remove those of the key, or choose a custom plan',
      'line 8: plan enterprise is custom: set limits for the key (minute and day)',
      'line 9: day must be a whole number',
      'line 10: minute must be a whole number',
      'line 10: day must be a whole number',
      'line 11: the minute limit (9) must not be greater than the day limit (5)',
      'line 12: 3 cells, but the header has 6',
      'line 13: misplaced quote: put the whole cell in quotes, and double each quote inside it',
      'line 14: name must not contain an API key',
      'line 15: name must not contain the invisible character U+202E, which changes the order in which text is displayed',
    );
  });

  const columns =
    'owner,name,plan,minute,day,month,concurrent,expiresAt,operations,addresses,validation,externalId,sha256,prefix,lastFour (all but ' +
    'the first three are optional)';
  test.each([
    [[], [`the file is empty: start the file with a header line of the columns ${columns}`]],
    [['owner,name,plan'], ['the file has a header and no keys']],
    [
      ['owner,plan,plan,limit', 'a,b,c,d'],
      [
        `line 1: unknown column "limit": start the file with a header line of the columns ${columns}`,
        'line 1: duplicate column plan',
        `line 1: missing column name: start the file with a header line of the columns ${columns}`,
      ],
    ],
    [
      ['owner;name;plan', 'a;b;free'],
      ['line 1: the cells are separated by semicolons: save the file with commas as separators'],
    ],
    [
      ['Owner,name, PLAN,expires_at', 'a,b,free,'],
      [
        'line 1: unknown column "Owner": write it as owner',
        'line 1: unknown column "PLAN": write it as plan',
        'line 1: unknown column "expires_at": write it as expiresAt',
      ],
    ],
  ])('the header is checked in %j', async (lines, errors) => {
    write(...lines);
    await expectErrors(...errors);
  });

  test('errors about operations and addresses name the line', async () => {
    const lines = ['owner,name,plan,operations,addresses', 'acme,a,free,getPit,', 'acme,b,free,,192.0.2.0/33'];
    write('owner,name,plan,operations', 'acme,a,free,GET /getPet');
    await expectErrors('line 2: operations must be an operation id or tag:NAME: did you mean "getPet"?');
    write(...lines, 'acme,c,free,"getPet,",');
    await expectErrors('line 4: operations must have at least 1 character');
    write(...lines);
    await expectErrors(
      'line 2: operations must be an operation id or tag:NAME: did you mean "getPet"?',
      'line 3: addresses must be an IP address or a CIDR range such as 10.0.0.0/8',
    );
  });

  test('a missing file and a file that is not UTF-8 are reported', async () => {
    writeFileSync(join(admin.folder, 'keys.csv'), Buffer.from('owner,name,plan\nacme,caf\xe9,free', 'latin1'));
    expect((await cli.run(IMPORT)).err).toMatch(/keys.csv is not UTF-8: save it as UTF-8/);
    const { code, err } = await cli.run(['keys', 'import', 'none.csv', '--output', 'secrets.csv']);
    expect([code, err]).toEqual([1, expect.stringMatching(/cannot read .*none.csv \(ENOENT\)/)]);
  });
});

test('a file that was imported before is refused, unless its keys are revoked', async () => {
  write('owner,name,plan', 'acme,a,free', 'globex,b,free');
  await cli.text(...IMPORT);
  const again = ['keys', 'import', 'keys.csv', '--output', 'again.csv'];
  const [b, a] = await created();
  expect(await cli.run(again)).toEqual({
    code: 1,
    out: '',
    err:
      'tollgate: no keys were created, because keys.csv has errors:\n' +
      `  line 2: this key already exists as ${a.id}: remove the line, or change the name\n` +
      `  line 3: this key already exists as ${b.id}: remove the line, or change the name\n`,
  });
  expect([(await created()).length, existsSync(join(admin.folder, 'again.csv'))]).toEqual([2, false]);
  for (const { id } of [a, b]) await admin.delete(`/v1/keys/${id}`);
  expect(await cli.text(...again)).toMatch(/^Created 2 keys\./);
});

test('lines with an existing external id are skipped, and lines that contradict each other are refused', async () => {
  const secret = (digit: string) => `${digit.repeat(64)},sk_abcd,wxyz`;
  const header = 'owner,name,plan,externalId,sha256,prefix,lastFour';
  write(header, 'acme,a,free,1,,,', `acme,b,free,2,${secret('a')}`);
  await cli.text(...IMPORT, '--random');
  write(header, 'acme,a,free,1,,,', `acme,b,free,2,${secret('a')}`, `acme,c,free,3,${secret('b')}`);
  // The secrets that were imported are known, so there is no output file.
  const again = ['keys', 'import', 'keys.csv', '--random'];
  expect(await cli.json(...again)).toEqual({ imported: 1, unchanged: 2, output: null });
  expect((await created()).map(({ externalId }: { externalId: string }) => externalId)).toEqual(['3', '2', '1']);

  write(header, `acme,d,free,4,${secret('c')}`, `acme,e,free,4,${secret('d')}`, `acme,f,free,5,${secret('C')}`);
  const { code, err } = await cli.run(again);
  expect([code, err]).toEqual([1, expect.stringContaining('line 3: externalId is the same as in line 2')]);
  expect(err).toContain('line 4: sha256 is the same as in line 2');
  write(header, `acme,g,free,6,${secret('e')}`);
  expect((await cli.run(['keys', 'import', 'keys.csv'])).err).toContain('line 2: sha256 is accepted only with');
});

test('--dry-run checks the file, and creates nothing', async () => {
  write('owner,name,plan', ...many(3));
  const dryRun = ['keys', 'import', 'keys.csv', '--dry-run'];
  expect(await cli.text(...dryRun)).toBe('keys.csv is valid. Without --dry-run, 3 keys would be created.\n');
  expect(await cli.json(...dryRun, '--output', 'secrets.csv')).toEqual({ dryRun: true, keys: 3, unchanged: 0 });
  expect([await created(), existsSync(output())]).toEqual([[], false]);
  write('owner,name,plan', 'acme,a,gold');
  expect(await cli.run(dryRun)).toMatchObject({
    code: 1,
    err: expect.stringContaining('line 2: there is no plan gold'),
  });
});

test('secrets are never written to an existing file or the terminal', async () => {
  write('owner,name,plan', ...many(1));
  writeFileSync(output(), 'something else');
  const { code, err } = await cli.run(IMPORT);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/secrets.csv already exists, .* choose another with --output\n$/),
  ]);
  expect(readFileSync(output(), 'utf8')).toBe('something else');
  expect(await created()).toEqual([]);
  expect((await cli.run(['keys', 'import', 'keys.csv'])).code).toBe(2);
});

describe('after a failure, the error says for which lines keys were created', () => {
  let proxy: Proxy;
  afterEach(() => proxy.stop());

  const through = (count: number, break_: Proxy['breakAt']) => {
    write('owner,name,plan', ...many(count));
    return createProxy(admin.url, '/keys/import', break_).then((started) => {
      proxy = started;
      return cli.run(IMPORT, { env: { TOLLGATE_ADMIN_URL: proxy.url } });
    });
  };
  const secretsKept = () => readCsv(readFileSync(output(), 'utf8')).records.length - 1;

  test('if the gateway refuses a batch, its keys are listed as not created', async () => {
    const late = async () => (admin.time.now += 10_000_000_000_000);
    write('owner,name,plan,expiresAt', ...many(600).map((line) => `${line},2030-01-01T00:00:00Z`));
    proxy = await createProxy(admin.url, '/keys/import', { call: 2, before: late });
    const { code, err } = await cli.run(IMPORT, { env: { TOLLGATE_ADMIN_URL: proxy.url } });
    expect(code).toBe(1);
    expect(err).toContain(
      'the import stopped at lines 252 to 501: the gateway rejected the request:\n  line 252: expiresAt ',
    );
    expect(err).toContain(
      `\n  created:     lines 2 to 251 (secrets in ${output()})\n  not created: lines 252 to 601\nTo create the rest, import`,
    );
    expect([secretsKept(), (await created()).length]).toEqual([250, 250]);
  });

  test('if the response is lost, its keys are listed as unknown', async () => {
    const { code, err } = await through(600, { call: 2, cut: 'answer' });
    expect(code).toBe(1);
    expect(err).toContain(
      `\n  created:     lines 2 to 251 (secrets in ${output()})\n` +
        '  unknown:     lines 252 to 501 (the response was lost, with the secrets)\n  not created: lines 502 to 601\n' +
        '"tollgate keys list" shows which of the unknown keys exist',
    );
    expect([secretsKept(), (await created()).length]).toEqual([250, 500]);
  });

  test('if no secret was received, no output file is left', async () => {
    const { err } = await through(100, { call: 1, cut: 'answer' });
    expect(err).toContain('\n  created:     none\n  unknown:     lines 2 to 101');
    expect(existsSync(output())).toBe(false);
  });
});
