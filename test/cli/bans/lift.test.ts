import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

const lift = (id: string) => ['bans', 'lift', id, '--reason', 'they called'];

test('a ban is lifted; where none runs, that is said', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
  expect(await cli.text(...lift(id))).toBe(`The ban of ${id} is lifted.\n`);
  expect((await admin.get('/v1/bans')).body.items[0]).toMatchObject({
    status: 'lifted',
    lift: { reason: 'they called' },
  });
  expect(await cli.text(...lift(id))).toBe(`Key ${id} was not banned; its strikes are cleared.\n`);

  await admin.put(`/v1/keys/${id}/ban`, { seconds: 60, reason: 'a' });
  expect(await cli.json(...lift(id))).toEqual({
    keyId: id,
    lifted: expect.objectContaining({ until: '2026-06-15T12:01:00.000Z', manual: true }),
  });
  expect(await cli.json(...lift(id))).toEqual({ keyId: id, lifted: null });
});

test('it needs a reason, and a key that is there', async () => {
  expect((await cli.run(['bans', 'lift', 'key_a'])).code).toBe(2);
  const { code, err } = await cli.run(lift('key_none'));
  expect([code, err]).toEqual([1, expect.stringContaining('There is no key key_none.')]);
});
