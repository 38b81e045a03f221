import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, VIEWER, type Admin } from '../support/gateway/admin.ts';
import { signIn } from '../support/gateway/browser.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin({ console: new Map() });
});
afterAll(() => admin.stop());

test('the printed link signs in once', async () => {
  const cli = createCli(admin);
  const text = await cli.text('console');
  const [, url = '', token = ''] = /^(http\S+\/console\/#token=(\S+))$/m.exec(text) ?? [];
  expect(url).toContain(admin.url);
  expect(text).toContain('The link works once, for anyone who has it, until 2026-06-15 12:15');
  const browser = await signIn(admin, token);
  expect((await browser.get('/v1/session')).body).toMatchObject({ name: 'ops', session: { method: 'link' } });
  expect(await cli.json('console')).toEqual({ url: expect.any(String), expiresAt: '2026-06-15T12:15:00.000Z' });
});

test('the command fails for a viewer, or if the console is not installed', async () => {
  const viewer = await createCli(admin).run(['console'], { env: { TOLLGATE_ADMIN_TOKEN: VIEWER } });
  expect(viewer.code).toBe(1);
  expect(viewer.err).toContain('is read-only');
  const without = await startAdmin();
  const { code, err } = await createCli(without).run(['console']);
  expect([code, err]).toEqual([
    1,
    'tollgate: The files of the console are missing. Build them with npm run prepare.\n',
  ]);
  await without.stop();
});
