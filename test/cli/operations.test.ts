import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { cliFor } from '../support/gateway/cli.ts';
import { servedOperation } from '../support/gateway/served-operation.ts';
import { addCounts } from '../support/history/counts.ts';

/** A public operation to which its document gives no id. */
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
  let cli: ReturnType<typeof cliFor>;
  beforeAll(async () => {
    const off = [{ from: Date.parse('2026-01-10T09:00:00Z'), to: Date.parse('2100-01-10T10:00:00Z') }];
    const served = [
      servedOperation('b'),
      servedOperation('c', ending, ['cats', 'old']),
      servedOperation('a', { deprecated: true, brownouts: off }),
      withoutId('d'),
    ];
    admin = await startAdmin({ served });
    cli = cliFor(admin);
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
  let cli: ReturnType<typeof cliFor>;
  const ids: string[] = [];
  beforeAll(async () => {
    admin = await startAdmin({ served: [servedOperation('GET /pets/{id}'), servedOperation('quiet')] });
    cli = cliFor(admin);
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
