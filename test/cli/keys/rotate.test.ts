import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '../../../src/base/key-format.ts';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

const create = async () => (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;

test('the new secret is shown, and until when the old one works', async () => {
  const { id } = await create();
  const out = await cli.text('keys', 'rotate', id);
  const [secret = ''] = /tg_live_\w{38}/.exec(out) ?? [];
  const next = (await admin.registry.findKeyByHash(hashSecret(secret)))?.key;
  expect(out).toBe(
    `Key ${next?.id} replaces ${id}. Its secret is shown this once, and kept nowhere:\n\n  ${secret}\n\n` +
      'The old one works until 2026-06-16 12:00:00 UTC.\n',
  );
});

test('a secret that leaked ends at once', async () => {
  const { id } = await create();
  expect(await cli.text('keys', 'rotate', id, '--grace-seconds', '0', '--reason', 'leak')).toMatch(
    /\nThe old one has ended\.\n$/,
  );
  expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0]).toMatchObject({ reason: 'leak' });
});

test('programs get the new key with its secret; a key that was rotated is told its successor', async () => {
  const { id } = await create();
  const next = await cli.json('keys', 'rotate', id, '--grace-seconds', '60');
  expect(await admin.registry.findKeyByHash(hashSecret(next.key))).toMatchObject({ key: { id: next.id, quotaId: id } });
  const { code, err } = await cli.run(['keys', 'rotate', id]);
  expect(code).toBe(1);
  expect(err).toBe(`tollgate: Key ${id} was rotated already: rotate its successor ${next.id}.\n`);
  expect((await cli.run(['keys', 'rotate', id, '--grace-seconds', '-1'])).code).toBe(2);
});
