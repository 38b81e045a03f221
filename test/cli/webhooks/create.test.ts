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

const URL = 'https://hooks.example.com/in';

test('a webhook is made, and its secret shown', async () => {
  const what = ['--types', 'key.banned', 'store.degraded', '--description', 'The pager', '--reason', 'we asked'];
  const text = await cli.text('webhooks', 'create', '--url', URL, ...what);
  const [, id = '', secret = ''] =
    /^Webhook (whk_\w{20}) is made, for https.*\n.*\n\n {2}(whsec_\S+)\n/.exec(text) ?? [];
  expect(secret).toHaveLength(50);
  expect(text).toContain(`"tollgate webhooks test ${id}" sends a first event.\n`);
  expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({
    accountId: null,
    types: ['key.banned', 'store.degraded'],
    description: 'The pager',
  });
  expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0].reason).toBe('we asked');
});

test('for an account, with all that it may see', async () => {
  const account = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme', plan: 'free' })).body;
  const made = await cli.json('webhooks', 'create', '--url', URL, '--account', account.id);
  expect(made).toMatchObject({ accountId: account.id, types: ['*'], description: '', secret: expect.any(String) });
});

test('a URL that is not allowed is refused, and it is said what may be done', async () => {
  const { code, err } = await cli.run(['webhooks', 'create', '--url', 'https://forbidden.example.com']);
  expect(code).toBe(1);
  expect(err).toContain('It is forbidden.\n  events.allowPrivate and events.ports in the configuration say');
  const unknown = await cli.run(['webhooks', 'create', '--url', URL, '--types', 'no.such']);
  expect(unknown.err).toContain('types must be ["*"] or some of key.banned, ');
});
