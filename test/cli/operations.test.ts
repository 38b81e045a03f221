import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ViolationRow } from '../../src/control-plane/history/store/history-store.ts';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { servedOperation } from '../support/gateway/served-operation.ts';
import { addCounts } from '../support/history/counts.ts';

/** Creates a public operation to which its document gives no id. */
function withoutId(name: string): ReturnType<typeof servedOperation> {
  const { operation, ...more } = servedOperation(name);
  return { operation: { ...operation, id: `GET /${name}`, public: true }, ...more };
}

describe('list', () => {
  const ending = {
    deprecated: true,
    deprecatedAt: Date.parse('2026-01-01T00:00:00Z'),
    sunsetAt: Date.parse('2027-12-31T00:00:00Z'),
    brownouts: [
      { from: Date.parse('2026-01-10T09:00:00Z'), to: Date.parse('2026-01-10T10:00:00Z') },
      { from: Date.parse('2100-01-10T09:00:00Z'), to: Date.parse('2100-01-10T10:00:00Z') },
    ],
  };

  let admin: Admin;
  let cli: ReturnType<typeof createCli>;
  beforeAll(async () => {
    const off = [{ from: Date.parse('2026-01-10T09:00:00Z'), to: Date.parse('2100-01-10T10:00:00Z') }];
    const served = [
      servedOperation('b'),
      servedOperation('c', ending, ['cats', 'old']),
      servedOperation('a', { deprecated: true, brownouts: off }),
      withoutId('d'),
    ];
    admin = await startAdmin({ served });
    cli = createCli(admin);
  });
  afterAll(() => admin.stop());

  test('operations are listed by path, with tags, deprecation, sunset and brownout', async () => {
    expect(await cli.text('operations', 'list')).toBe(
      'ID  METHOD  PATH  TAGS       UPSTREAM  COST  PUBLIC  DEPRECATED  SUNSET      BROWNOUT\n' +
        'a   GET     /a               petstore     1          yes                     until 2100-01-10 10:00:00\n' +
        'b   GET     /b               petstore     1\n' +
        'c   GET     /c    cats, old  petstore     1          2026-01-01  2027-12-31  2100-01-10 09:00:00\n' +
        '    GET     /d               petstore     1  yes\n',
    );
    expect((await cli.json('operations', 'list')).items[2]).toMatchObject({ id: 'c', cost: 1 });
  });

  test('the output says if no requests violate the document of an operation', async () => {
    const nothing = 'No requests found that do not fit the operation.\n';
    expect(await cli.text('operations', 'violations', 'a')).toBe(nothing);
    expect(await cli.text('operations', 'violations', 'a', '--by', 'rule', '--candidate')).toBe(nothing);
    expect((await cli.json('operations', 'violations', 'a')).items).toEqual([]);
  });

  test('a hint is printed if the limit leaves out operations', async () => {
    const { out, err } = await cli.run(['operations', 'list', '--limit', '1']);
    expect(out.split('\n')).toHaveLength(3);
    expect(err).toBe('There are more items. Use --all to see all of them.\n');
  });
});

describe('callers', () => {
  let admin: Admin;
  let cli: ReturnType<typeof createCli>;
  const ids: string[] = [];
  beforeAll(async () => {
    admin = await startAdmin({ served: [servedOperation('GET /pets/{id}'), servedOperation('quiet')] });
    cli = createCli(admin);
    for (const [index, owner] of ['acme', 'globex'].entries()) {
      const { id } = (await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' })).body;
      const minute = NOW - 120_000 + index * 60_000;
      await addCounts(admin.history, { keyId: id, operation: 'GET /pets/{id}', minute, requests: 5 });
      ids.push(id);
    }
  });
  afterAll(() => admin.stop());

  test('callers are listed, most recent call first', async () => {
    expect(await cli.text('operations', 'callers', 'GET /pets/{id}')).toBe(
      'KEY                       OWNER   EMAIL  PLAN  FIRST CALL (UTC)     LAST CALL (UTC)      REQUESTS\n' +
        `${ids[1]}  globex         free  2026-06-15 11:59:00  2026-06-15 11:59:00         5\n` +
        `${ids[0]}  acme           free  2026-06-15 11:58:00  2026-06-15 11:58:00         5\n`,
    );
    expect(await cli.text('operations', 'callers', 'quiet')).toBe('No callers found.\n');
    const { items } = await cli.json('operations', 'callers', 'GET /pets/{id}');
    expect(items).toMatchObject([{ key: ids[1], owner: 'globex', requests: 5 }, { key: ids[0] }]);
  });

  test('CSV respects the limit', async () => {
    const { out, err } = await cli.run(['operations', 'callers', 'GET /pets/{id}', '--csv', '--limit', '1']);
    expect(out).toBe(
      'key,owner,email,plan,firstAt,lastAt,requests\n' +
        `${ids[1]},globex,,free,2026-06-15T11:59:00.000Z,2026-06-15T11:59:00.000Z,5\n`,
    );
    expect(err).toBe('There are more items. Use --all to see all of them.\n');
    expect((await cli.run(['operations', 'callers', 'quiet', '--csv', '--json'])).code).toBe(2);
  });

  test('an unknown id is reported as an error instead of an empty list', async () => {
    const { code, err } = await cli.run(['operations', 'callers', 'quite']);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^tollgate: There is no operation with this id.*\n {2}Run "tollgate operations list" to see the ids\.\n$/,
    );
  });
});

describe('violations', () => {
  let admin: Admin;
  let cli: ReturnType<typeof createCli>;
  const ids: string[] = [];
  const report = (id: string) => ({
    ...servedOperation(id),
    validation: { mode: 'report', candidate: null } as const,
  });
  beforeAll(async () => {
    admin = await startAdmin({ served: [report('addPet'), report('quiet')] });
    cli = createCli(admin);
    const minute = NOW - 3_600_000;
    const violations: ViolationRow[] = [];
    for (const [index, { owner, ...more }] of [
      { owner: 'acme' },
      { owner: 'acme' },
      { owner: 'globex', validation: 'report' },
    ].entries()) {
      const { id } = (await admin.post('/v1/keys', { name: 'a', owner, plan: 'free', ...more })).body;
      ids.push(id);
      const row = { operation: 'addPet', kind: 'document', hour: minute, keyId: id, refused: 0 } as const;
      const times = { requests: 3 - index, firstAt: minute, lastAt: minute + 60_000 * index };
      for (const rule of [null, 'required /name', ...(index === 0 ? ['type /age'] : [])])
        violations.push({ ...row, ...times, rule });
    }
    await admin.history.write({ writer: 'test', sequence: 1, rows: [], violations });
  });
  afterAll(() => admin.stop());

  const STEP = `
With enforce, requests that do not fit would get 400 validation_failed, and would not reach the service. They would
still cost units of the quota.
It would have refused requests of 2 keys from 2026-06-08 12:00:00 to 2026-06-15 12:00:00. 1 key is exempt.
Tell the owners first, or exempt keys whose owners need more time:
  tollgate keys update KEY --validation report
To enforce, set "x-tollgate-validation: enforce" for this operation in the document or in an overlay, or
"validation: enforce" for the whole upstream in the configuration file. Then run on each gateway:
  tollgate config check && tollgate config reload
`;

  test('one command lists who would be refused, and the step from report to enforce with its effect', async () => {
    expect(await cli.text('operations', 'violations', 'addPet')).toBe(
      'KEY                       OWNER   RULES                      EXEMPT  REQUESTS  REFUSED  FIRST (UTC)          LAST (UTC)\n' +
        `${ids[0]}  acme    required /name, type /age                 3        0  2026-06-15 11:00:00  2026-06-15 11:00:00\n` +
        `${ids[1]}  acme    required /name                            2        0  2026-06-15 11:00:00  2026-06-15 11:01:00\n` +
        `${ids[2]}  globex  required /name             yes            1        0  2026-06-15 11:00:00  2026-06-15 11:02:00\n` +
        STEP,
    );
  });

  test('the owners are listed with the rules that they broke, and when they did first and last', async () => {
    expect(await cli.text('operations', 'violations', 'addPet', '--by', 'owner')).toBe(
      'OWNER   EMAIL  RULES                      KEYS  EXEMPT  REQUESTS  REFUSED  FIRST (UTC)          LAST (UTC)\n' +
        'acme           required /name, type /age     2       0         5        0  2026-06-15 11:00:00  2026-06-15 11:01:00\n' +
        'globex         required /name                1       1         1        0  2026-06-15 11:00:00  2026-06-15 11:02:00\n' +
        STEP,
    );
  });

  test('the rules are listed with the number of owners and keys that broke them', async () => {
    expect(await cli.text('operations', 'violations', 'addPet', '--by', 'rule')).toBe(
      'RULE      PLACE  OWNERS  KEYS  REQUESTS  REFUSED  FIRST (UTC)          LAST (UTC)\n' +
        'required  /name       2     3         6        0  2026-06-15 11:00:00  2026-06-15 11:02:00\n' +
        'type      /age        1     1         3        0  2026-06-15 11:00:00  2026-06-15 11:00:00\n' +
        STEP,
    );
  });

  test('the step says if nobody would have been refused, and is left out for some keys and for JSON', async () => {
    const quiet = await cli.text('operations', 'violations', 'quiet');
    expect(quiet).toContain(
      'No request from 2026-06-08 12:00:00 to 2026-06-15 12:00:00 would have been refused.\nTo enforce',
    );
    expect(await cli.text('operations', 'violations', 'addPet', '--owner', 'acme')).not.toContain('enforce');
    expect(await cli.json('operations', 'violations', 'addPet')).toMatchObject({
      mode: 'report',
      items: ids.map((key) => ({ key })),
    });
  });
});
