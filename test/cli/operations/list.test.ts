import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';
import { servedOperation } from '../../support/gateway/served-operation.ts';

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
    servedOperation('c', ending),
    servedOperation('a', { deprecated: true, brownouts: off }),
  ];
  admin = await startAdmin({ served });
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the operations are listed by path, with what is about to end', async () => {
  expect(await cli.text('operations', 'list')).toBe(
    'ID  METHOD  PATH  UPSTREAM  COST  DEPRECATED  SUNSET      BROWNOUT\n' +
      'a   GET     /a    petstore     1  yes                     until 2100-01-10 10:00:00\n' +
      'b   GET     /b    petstore     1\n' +
      'c   GET     /c    petstore     1  2026-01-01  2027-12-31  2100-01-10 09:00:00\n',
  );
  expect((await cli.json('operations', 'list')).items[2]).toMatchObject({ id: 'c', cost: 1 });
});

test('a list that was cut short says so', async () => {
  const { out, err } = await cli.run(['operations', 'list', '--limit', '1']);
  expect(out.split('\n')).toHaveLength(3);
  expect(err).toBe('There are more: see --limit and --all.\n');
});
