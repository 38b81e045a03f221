/** A filter with a misspelled value once returned an empty list, as if nothing matched. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../support/gateway/cli.ts';
import { expectError, NOW, startAdmin, TOKEN, type Admin } from '../../../support/gateway/admin.ts';
import { servedOperation } from '../../../support/gateway/served-operation.ts';
import { addCounts } from '../../../support/history/counts.ts';

let admin: Admin;
let accountId: string;
beforeAll(async () => {
  admin = await startAdmin({ served: [servedOperation('listPets')] });
  await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' });
  const account = { owner: 'globex', name: 'Globex', email: null, plan: 'free' };
  accountId = (await admin.post('/v1/accounts', account)).body.id;
});
afterAll(() => admin.stop());

describe('an unknown filter value is rejected, and the error suggests an allowed one', () => {
  test.each([
    ['keys?owner=acm', 'owner', 'is unknown: there is no owner acm (did you mean acme?)'],
    ['keys?owner=ACME&plan=fre', 'owner,plan', 'is unknown: there is no owner ACME (did you mean acme?)'],
    ['keys?plan=gold', 'plan', 'is unknown: there is no plan gold; use one of enterprise, free, pro'],
    ['keys?status=actve', 'status', 'must be one of active, disabled, revoked'],
    ['accounts?plan=enterprize', 'plan', 'is unknown: there is no plan enterprize (did you mean enterprise?)'],
    ['plan-requests?account=globex', 'account', /^is unknown: there is no account globex \(did you mean acc_\w+\?\)$/],
    ['webhooks?account=acc_none', 'account', 'is unknown: there is no account acc_none'],
    ['events?type=key.creatde', 'type', 'is unknown: there is no event type key.creatde (did you mean key.created?)'],
    ['audit?action=key.craete', 'action', 'is unknown (did you mean key.create?)'],
    ['audit?action=nothing', 'action', /^must be one of key\.create, .*config\.reload$/],
    ['bans?status=over', 'status', 'must be one of active, expired, lifted, replaced'],
    ['usage?owner=nobody', 'owner', 'is unknown: there is no owner nobody; use one of acme'],
    ['usage?plan=pros&by=key', 'plan', 'is unknown: there is no plan pros (did you mean pro?)'],
    ['usage?operation=listPet', 'operation', 'is unknown: there is no operation listPet (did you mean listPets?)'],
    ['usage?outcome=serve', 'outcome', 'is unknown: there is no outcome serve (did you mean served?)'],
  ])('for %s', async (path, fields, message) => {
    const response = await admin.get(`/v1/${path}`);
    expectError(response, 400, 'validation_failed', ...fields.split(',').map((field) => `/query/${field}`));
    if (typeof message === 'string') expect(response.body.details[0].message).toBe(message);
    else expect(response.body.details[0].message).toMatch(message);
  });
});

test('an unknown filter value of a CSV export is rejected before the export begins', async () => {
  const headers = { Accept: 'text/csv' };
  expectError(await admin.call('GET', '/v1/usage?owner=nobody', { headers }), 400, 'validation_failed', '/query/owner');
});

test('a filter value that exists but matches nothing, or is known only from older records, is accepted', async () => {
  await addCounts(admin.history, { minute: NOW, operation: 'removed', keyId: 'key_deleted', requests: 1 });
  const { id } = (await admin.post('/v1/keys', { name: 'b', owner: 'past', plan: 'pro' })).body;
  await admin.delete(`/v1/keys/${id}`);
  expect((await admin.delete('/v1/plans/pro')).status).toBe(204);
  for (const path of [
    'keys?owner=globex',
    'keys?owner=past&status=active',
    'keys?plan=pro&status=active',
    'accounts?plan=pro',
    `plan-requests?account=${accountId}`,
    'webhooks?account=none',
    'events?type=webhook.test',
    'usage?operation=removed&from=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z',
    'usage?plan=pro',
    'usage?outcome=key_revoked',
    'audit?action=config.reload',
  ]) {
    expect({ path, status: (await admin.get(`/v1/${path}`)).status }).toEqual({ path, status: 200 });
  }
});

test('the command line reports an unknown filter value under the name of its option', async () => {
  const env = { TOLLGATE_ADMIN_URL: admin.url, TOLLGATE_ADMIN_TOKEN: TOKEN };
  const refusal = async (...args: string[]) => {
    const { code, out, err } = await runCommand(args, { env });
    expect(out).toBe('');
    expect(code).toBeGreaterThan(0);
    return err;
  };
  expect(await refusal('keys', 'list', '--plan', 'fre')).toBe(
    'tollgate: the gateway rejected the request:\n  --plan is unknown: there is no plan fre (did you mean free?)\n',
  );
  expect(await refusal('usage', 'history', '--owner', 'acm', '--csv')).toContain('--owner is unknown');
  expect(await refusal('events', 'listen', '--type', 'key.create')).toContain('did you mean key.created?');
  expect(await refusal('audit', 'list', '--action', 'key.created')).toContain('did you mean key.create?');
  expect(await refusal('webhooks', 'list', '--account', 'acme')).toContain('--account is unknown');
  expect(await refusal('keys', 'list', '--status', 'actve')).toContain(
    'Allowed choices are active, expired, rotating, banned, disabled, revoked',
  );
});
