import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, makeWebhook, startAdmin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('the secret is replaced, and shown', async () => {
  const { id, secret } = await makeWebhook(admin);
  const text = await cli.text('webhooks', 'rotate-secret', id, '--reason', 'once a year');
  expect(text).toMatch(
    /^Webhook whk_\w+ has a new secret\.\nIts secret is shown this once:\n\n {2}whsec_\S{44}\n\nThe old one signs, too, until 2026-06-16 12:00:00 UTC\.\n$/,
  );
  expect(text).not.toContain(secret);
});

test('of one that others have got hold of, at once', async () => {
  const { id } = await makeWebhook(admin);
  expect(await cli.text('webhooks', 'rotate-secret', id, '--grace-seconds', '0')).toContain(
    'The old one signs no more.',
  );
  const rotated = await cli.json('webhooks', 'rotate-secret', id, '--grace-seconds', '60');
  expect(rotated).toMatchObject({ id, previousSecretUntil: '2026-06-15T12:01:00.000Z', secret: expect.any(String) });
  expect((await cli.run(['webhooks', 'rotate-secret', id, '--grace-seconds', 'soon'])).code).toBe(2);
});
