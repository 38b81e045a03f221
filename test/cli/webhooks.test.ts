import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, makeWebhook, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { ARRIVED } from '../support/webhooks/webhooks.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('create', () => {
  const URL = 'https://hooks.example.com/in';

  test('a webhook is created and its secret is shown', async () => {
    const what = ['--types', 'key.banned', 'store.degraded', '--description', 'The pager', '--reason', 'we asked'];
    const text = await cli.text('webhooks', 'create', '--url', URL, ...what);
    const [, id = '', secret = ''] =
      /^Created webhook (whk_\w{20}) for https.*\n\n {2}(whsec_\S+)\n\nThe secret is shown only once\. Store it now\.\n/.exec(
        text,
      ) ?? [];
    expect(secret).toHaveLength(50);
    expect(text).toContain(`To send a test event, run "tollgate webhooks test ${id}".\n`);
    expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      accountId: null,
      types: ['key.banned', 'store.degraded'],
      description: 'The pager',
    });
    expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0].reason).toBe('we asked');
  });

  test('a webhook of an account receives all event types of the account unless types are given', async () => {
    const account = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme', plan: 'free' })).body;
    const made = await cli.json('webhooks', 'create', '--url', URL, '--account', account.id);
    expect(made).toMatchObject({ accountId: account.id, types: ['*'], description: '', secret: expect.any(String) });
  });

  test('a forbidden URL is refused, and the error names the settings that would allow it', async () => {
    const { code, err } = await cli.run(['webhooks', 'create', '--url', 'https://forbidden.example.com']);
    expect(code).toBe(1);
    expect(err).toContain('It is forbidden.\n  events.allowPrivate and events.ports in the configuration set');
    const unknown = await cli.run(['webhooks', 'create', '--url', URL, '--types', 'no.such']);
    expect(unknown.err).toContain('--types must be ["*"] or some of account_request.created, key.address_refused, ');
  });
});

describe('list', () => {
  test('webhooks are listed newest first, with their status', async () => {
    expect(await cli.text('webhooks', 'list')).toBe('No webhooks found.\n');
    const account = (await admin.post('/v1/accounts', { owner: 'acme', name: 'Acme', plan: 'free' })).body;
    const [ours, theirs] = [
      await makeWebhook(admin, { types: ['key.banned', 'key.unbanned'] }),
      await makeWebhook(admin, { accountId: account.id }),
    ];
    await admin.patch(`/v1/webhooks/${theirs.id}`, { status: 'disabled' });
    const lines = (await cli.text('webhooks', 'list')).split('\n');
    expect(lines[1]).toMatch(new RegExp(`^${theirs.id} +${account.id} +https://hooks.* +\\* +disabled$`));
    expect(lines[2]).toMatch(new RegExp(`^${ours.id} +operators +https://hooks.* +key.banned.* +enabled$`));
    const { items } = await cli.json('webhooks', 'list', '--account', 'none');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([ours.id]);
    expect((await cli.json('webhooks', 'list', '--status', 'disabled')).items).toHaveLength(1);
    expect(await cli.text('webhooks', 'list', '--status', 'failing')).toBe('No webhooks found.\n');
    admin.database.sqlite.exec(`UPDATE webhooks SET failing_since = 1 WHERE id = '${ours.id}'`);
    expect((await cli.json('webhooks', 'list', '--status', 'failing')).items).toMatchObject([{ id: ours.id }]);
    expect((await cli.json('webhooks', 'list', '--search', theirs.id)).items).toMatchObject([{ id: theirs.id }]);
    const sorted = await cli.json('webhooks', 'list', '--sort', '-status');
    expect(sorted.items.map(({ id }: { id: string }) => id)).toEqual([ours.id, theirs.id]);
    expect((await cli.run(['webhooks', 'list', '--limit', '1'])).err).toContain('There are more items');
  });
});

describe('show', () => {
  test('a webhook is shown without its secret', async () => {
    const { id, secret } = await makeWebhook(admin, { types: ['key.banned', 'key.created'] });
    const text = await cli.text('webhooks', 'show', id);
    expect(text).toMatch(new RegExp(`^id +${id}\naccount +none \\(operators\\)\nurl +https://hooks.example.com/in\n`));
    expect(text).toContain('key.banned, key.created\n');
    expect(text).not.toContain(secret);
    expect(await cli.json('webhooks', 'show', id)).toEqual((await admin.get(`/v1/webhooks/${id}`)).body);
  });

  test('a disabled webhook is shown with the reason and the time', async () => {
    const { id } = await makeWebhook(admin);
    const set = { status: 'disabled', disabled_reason: 'gone', disabled_at: Date.parse('2026-06-15T12:00:00Z') };
    await admin.database.transaction((tx) => tx.updateTable('webhooks').set(set).where('id', '=', id).execute());
    const text = await cli.text('webhooks', 'show', id);
    expect(text).toMatch(/^status +disabled \(gone\)\ndisabled +2026-06-15 12:00:00 UTC$/m);
    const { code, err } = await cli.run(['webhooks', 'show', 'whk_none']);
    expect([code, err]).toEqual([1, expect.stringContaining('Run "tollgate webhooks list" to see the ids.')]);
  });
});

describe('enable', () => {
  test('a webhook is enabled, and waiting events are sent', async () => {
    const { id } = await makeWebhook(admin);
    await admin.patch(`/v1/webhooks/${id}`, { status: 'disabled' });
    expect(await cli.text('webhooks', 'enable', id, '--reason', 'it is back')).toBe(
      `Enabled webhook ${id}.\nUndelivered events are sent now.\n`,
    );
    expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'enabled', disabledReason: null });
    expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0].reason).toBe('it is back');
  });
});

describe('disable', () => {
  test('a webhook is disabled, and the output says how to undo it', async () => {
    const { id } = await makeWebhook(admin);
    expect(await cli.text('webhooks', 'disable', id)).toBe(
      `Disabled webhook ${id}.\nTo undo, run "tollgate webhooks enable ${id}".\n`,
    );
    expect((await admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({
      status: 'disabled',
      disabledReason: 'manual',
    });
    expect(await cli.json('webhooks', 'disable', id)).toMatchObject({ id, status: 'disabled' });
  });
});

describe('delete', () => {
  test('a webhook is deleted, and the audit log names the reason', async () => {
    const { id } = await makeWebhook(admin);
    expect(await cli.text('webhooks', 'delete', id, '--reason', 'not needed')).toBe(`Deleted webhook ${id}.\n`);
    expect((await admin.get(`/v1/webhooks/${id}`)).status).toBe(404);
    const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
    expect(entry).toMatchObject({ action: 'webhook.delete', reason: 'not needed' });
    const other = await makeWebhook(admin);
    expect(await cli.json('webhooks', 'delete', other.id)).toEqual({ id: other.id, deleted: true });
  });
});

describe('test', () => {
  let id: string;
  beforeEach(async () => {
    id = (await admin.post('/v1/webhooks', { url: 'https://hooks.example.com/in', types: ['*'] })).body.id;
  });

  test('a test event is sent and the result is shown', async () => {
    expect(await cli.text('webhooks', 'test', id)).toBe('Sent a test event: responded with 204 in 12 ms.\n');
    expect(await cli.json('webhooks', 'test', id)).toMatchObject({ webhookId: id, status: 'delivered' });
  });

  test('the command fails if the endpoint does not accept the event', async () => {
    admin.outcome.next = { ...ARRIVED, status: 500 };
    const { code, err } = await cli.run(['webhooks', 'test', id]);
    expect([code, err]).toEqual([
      1,
      'tollgate: the endpoint did not accept the test event: responded with 500 in 12 ms\n',
    ]);
    admin.outcome.next = { ...ARRIVED, status: null, error: 'the connection was refused' };
    const asJson = await cli.run(['webhooks', 'test', id, '--json']);
    expect(JSON.parse(asJson.out)).toMatchObject({
      status: 'failed',
      attempts: [{ error: 'the connection was refused' }],
    });
    expect([asJson.code, asJson.err]).toEqual([1, expect.stringContaining('the connection was refused after 12 ms')]);
  });
});

describe('rotate secret', () => {
  test('the secret is replaced and the new one is shown', async () => {
    const { id, secret } = await makeWebhook(admin);
    const text = await cli.text('webhooks', 'rotate-secret', id, '--reason', 'once a year');
    expect(text).toMatch(
      /^Rotated the secret of webhook whk_\w+\.\n\n {2}whsec_\S{44}\n\nThe secret is shown only once\. Store it now\.\nEvents are also signed with the old secret until 2026-06-16 12:00:00 UTC\.\n$/,
    );
    expect(text).not.toContain(secret);
  });

  test('a grace period of 0 ends the old secret immediately', async () => {
    const { id } = await makeWebhook(admin);
    expect(await cli.text('webhooks', 'rotate-secret', id, '--grace-seconds', '0')).toContain(
      'The old secret is no longer used.',
    );
    const rotated = await cli.json('webhooks', 'rotate-secret', id, '--grace-seconds', '60');
    expect(rotated).toMatchObject({ id, previousSecretUntil: '2026-06-15T12:01:00.000Z', secret: expect.any(String) });
    expect((await cli.run(['webhooks', 'rotate-secret', id, '--grace-seconds', 'soon'])).code).toBe(2);
  });
});

describe('deliveries', () => {
  test('deliveries are listed with the result of the last attempt', async () => {
    const { id } = await makeWebhook(admin);
    expect(await cli.text('webhooks', 'deliveries', id)).toBe('No deliveries found.\n');
    const tried = (await admin.call('POST', `/v1/webhooks/${id}/test`)).body;
    const [, line] = (await cli.text('webhooks', 'deliveries', id)).split('\n');
    expect(line).toMatch(
      new RegExp(`^${tried.id} +2\\d{3}-.* +webhook.test +delivered +1 +responded with 204 in 12 ms$`),
    );
    expect(await cli.json('webhooks', 'deliveries', id)).toEqual({ items: [tried], nextCursor: null });
    expect((await cli.json('webhooks', 'deliveries', id, '--status', 'failed')).items).toEqual([]);
  });
});

describe('redeliver', () => {
  test('a delivery is queued again', async () => {
    const { id } = await makeWebhook(admin);
    const tried = (await admin.call('POST', `/v1/webhooks/${id}/test`)).body;
    expect(await cli.text('webhooks', 'redeliver', tried.id)).toBe(
      `Queued delivery ${tried.id}. To see the result, run "tollgate webhooks deliveries ${id}".\n`,
    );
    expect(await cli.json('webhooks', 'redeliver', tried.id)).toMatchObject({ id: tried.id, status: 'pending' });
    const { code, err } = await cli.run(['webhooks', 'redeliver', 'dlv_none']);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Run "tollgate webhooks deliveries WEBHOOK" to see the ids.'),
    ]);
  });
});
