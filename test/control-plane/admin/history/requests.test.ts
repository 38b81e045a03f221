import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { facts } from '../../../support/history/refusals.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
  const refusal = { requestId: 'trace-1', quotaId: 'key_a', keyId: 'key_a', at: NOW - 1000, facts: { ...facts } };
  await admin.history.keepRefusals([
    refusal,
    { ...refusal, quotaId: 'key_b', keyId: 'key_b', at: NOW - 500, facts: { ...facts, code: 'quota_exceeded' } },
    { ...refusal, requestId: 'trace-2' },
  ]);
});
afterAll(() => admin.stop());

test('all refusals with the same request id are returned as sentences and as data, newest first', async () => {
  const { body } = await admin.get('/v1/requests/trace-1');
  expect(body).toMatchObject({ requestId: 'trace-1', refusals: [{ keyId: 'key_b' }, { keyId: 'key_a' }] });
  expect(body.refusals[1]).toMatchObject({
    at: '2026-06-15T11:59:59.000Z',
    sentences: expect.arrayContaining([expect.stringContaining('a call to listPets was refused with 429')]),
    facts: { code: 'rate_limit_exceeded', plan: 'free' },
  });
});

test('the explanation for the customer names the plan and describes the current state', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'b', owner: 'acme', plan: 'free' })).body;
  const refusal = { requestId: 'trace-4', quotaId: id, keyId: id, at: NOW - 1000, facts: { ...facts } };
  await admin.history.keepRefusals([refusal]);
  const readExplanation = async () => (await admin.get('/v1/requests/trace-4')).body.refusals[0].answer as string;
  expect(await readExplanation()).toMatch(
    /^Your request GET \(listPets\) at 2026-06-15 11:59:59 UTC .* your plan Free allows\./s,
  );
  expect(await readExplanation()).toContain('You can call again now.');
  await admin.put(`/v1/keys/${id}/ban`, { seconds: 3600, reason: 'abuse' });
  expect(await readExplanation()).toContain('Your key is banned until 2026-06-15 13:00:00 UTC.');
});

test('an unknown request id returns 404, and the response gives possible reasons', async () => {
  for (const id of ['trace-3', '%20']) {
    const response = await admin.get(`/v1/requests/${id}`);
    expectError(response, 404, 'request_not_found');
    expect(response.body.message).toMatch(/No refused request .* for 48 hours.* usage history by outcome/);
  }
});

test('the recent refusals of a key are listed with their cause, newest first', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  expect((await admin.get(`/v1/requests?key=${id}`)).body).toEqual({ items: [], nextCursor: null });
  const refusal = { quotaId: id, keyId: id, facts: { ...facts } };
  await admin.history.keepRefusals([
    { ...refusal, requestId: 'older', at: NOW - 49 * 3_600_000 },
    { ...refusal, requestId: 'first', at: NOW - 2000 },
    { ...refusal, requestId: 'last', at: NOW - 1000 },
  ]);
  const { items } = (await admin.get(`/v1/requests?key=${id}`)).body;
  expect(items.map(({ requestId }: { requestId: string }) => requestId)).toEqual(['last', 'first']);
  expect(items[0]).toMatchObject({
    at: '2026-06-15T11:59:59.000Z',
    keyId: id,
    status: 429,
    code: 'rate_limit_exceeded',
    operation: 'listPets',
    cause: expect.stringMatching(/^The limit for the minute starting at .* had been reached: .* \(plan free\)\.$/),
  });
  expect((await admin.get(`/v1/requests?key=${id}&limit=1`)).body.items).toHaveLength(1);
});

test('the refusals of all keys are listed in pages, with the name of the key and its account', async () => {
  const shop = (await admin.post('/v1/keys', { name: 'Shop', owner: 'fabrikam', plan: 'free' })).body.id;
  const other = (await admin.post('/v1/keys', { name: 'Other', owner: 'initech', plan: 'free' })).body.id;
  const account = { owner: 'fabrikam', name: 'Fabrikam Ltd', email: 'anna@fabrikam.example', plan: 'free' };
  const { id } = (await admin.post('/v1/accounts', account)).body;
  const refused = (keyId: string, ms: number, code: string, operation = 'listPets') => {
    return { requestId: `all-${ms}`, quotaId: keyId, keyId, at: NOW - ms, facts: { ...facts, code, operation } };
  };
  await admin.history.keepRefusals([
    refused(shop, 3, 'rate_limit_exceeded'),
    refused(other, 2, 'rate_limit_exceeded', 'getPet'),
    refused(shop, 1, 'quota_exceeded'),
  ]);
  const first = (await admin.get('/v1/requests?limit=2')).body;
  expect(first.items).toMatchObject([
    { requestId: 'all-1', keyName: 'Shop', owner: 'fabrikam', account: { id, name: 'Fabrikam Ltd' } },
    { requestId: 'all-2', keyName: 'Other', owner: 'initech', account: null },
  ]);
  const second = (await admin.get(`/v1/requests?limit=1&cursor=${first.nextCursor}`)).body;
  expect(second.items).toMatchObject([{ requestId: 'all-3' }]);
  const ids = async (query: string) =>
    (await admin.get(`/v1/requests?${query}`)).body.items.map(({ requestId }: { requestId: string }) => requestId);
  expect(await ids('owner=fabrikam')).toEqual(['all-1', 'all-3']);
  expect(await ids('owner=fabrikam&code=rate_limit_exceeded')).toEqual(['all-3']);
  expect(await ids('operation=getPet')).toEqual(['all-2']);
  expect(await ids('owner=initech&operation=getPet&code=rate_limit_exceeded')).toEqual(['all-2']);
  expect(await ids(`key=${other}`)).toEqual(['all-2']);
  expect((await admin.call('GET', '/v1/requests', { token: VIEWER })).status).toBe(200);
});

test.each([
  ['owner=fabrikamm', '/query/owner'],
  ['operation=listPet', '/query/operation'],
  ['code=rate_limit', '/query/code'],
  ['code=owner_taken', '/query/code'],
  ['cursor=x', '/query/cursor'],
  ['limit=101', '/query/limit'],
])('the list of refusals is rejected with the parameter %s, and the error names the parameter', async (query, path) => {
  expectError(await admin.get(`/v1/requests?${query}`), 400, 'validation_failed', path);
});

test('the list of refusals returns 404 for a key that does not exist', async () => {
  expectError(await admin.get('/v1/requests?key=key_none'), 404, 'key_not_found');
});
