import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServedOperation } from '../../../src/admin/resources/operations.ts';
import type { Lifecycle } from '../../../src/upstreams/lifecycle.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

const lifecycle: Lifecycle = {
  deprecated: false,
  deprecatedAt: null,
  sunsetAt: null,
  brownouts: [],
  stability: 'stable',
  successor: null,
  deprecationLink: null,
};
const deprecatedAt = Date.parse('2026-01-01T00:00:00Z');
const sunsetAt = Date.parse('2027-12-31T00:00:00Z');
const upstream = { name: 'petstore' };
const served: ServedOperation[] = [
  { operation: { id: 'listPets', method: 'GET', path: '/pets', cost: 1, lifecycle }, upstream },
  {
    operation: {
      id: 'getPet',
      method: 'GET',
      path: '/pets/{id}',
      cost: 3,
      lifecycle: { ...lifecycle, deprecated: true, deprecatedAt, sunsetAt },
    },
    upstream,
  },
  {
    operation: { id: 'old', method: 'GET', path: '/old', cost: 1, lifecycle: { ...lifecycle, deprecated: true } },
    upstream,
  },
];

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin({ served });
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the operations are listed by path, with what is about to end', async () => {
  expect(await cli.text('operations', 'list')).toBe(
    'ID        METHOD  PATH        UPSTREAM  COST  DEPRECATED  SUNSET\n' +
      'old       GET     /old        petstore     1  yes\n' +
      'listPets  GET     /pets       petstore     1\n' +
      'getPet    GET     /pets/{id}  petstore     3  2026-01-01  2027-12-31\n',
  );
  expect((await cli.json('operations', 'list')).items[2]).toMatchObject({ id: 'getPet', cost: 3 });
});

test('a list that was cut short says so', async () => {
  const { out, err } = await cli.run(['operations', 'list', '--limit', '1']);
  expect(out.split('\n')).toHaveLength(3);
  expect(err).toBe('There are more: see --limit and --all.\n');
});
