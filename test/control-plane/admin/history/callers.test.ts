import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectError, NOW, startAdmin, type Admin } from '../../../support/gateway/admin.ts';
import { addCounts } from '../../../support/history/counts.ts';
import { servedOperation } from '../../../support/gateway/served-operation.ts';

const MINUTE = 60_000;

let admin: Admin;
let ids: string[];
beforeAll(async () => {
  admin = await startAdmin({ served: [servedOperation('getPet'), servedOperation('GET /pets/{id}')] });
  ids = [];
  for (const owner of ['acme', 'a, "b"', 'globex']) {
    ids.push((await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' })).body.id);
  }
  await admin.post('/v1/accounts', { owner: 'globex', name: 'Globex', email: 'ann@globex.example', plan: 'free' });
  const row = { operation: 'old', requests: 2 };
  for (const [index, keyId] of ids.entries()) {
    const minute = NOW - (10 - index) * MINUTE;
    await addCounts(
      admin.history,
      { ...row, keyId, minute: NOW - 1000 * MINUTE, firstAt: NOW - 1000 * MINUTE + index, lastAt: NOW - 999 * MINUTE },
      { ...row, keyId, minute, firstAt: minute, lastAt: minute + 5000 },
    );
  }
  await addCounts(admin.history, { keyId: ids[0]!, operation: 'GET /pets/{id}', minute: NOW, lastAt: NOW });
});
afterAll(() => admin.stop());

const csv = (path: string, accept = 'text/csv') => admin.call('GET', path, { headers: { Accept: accept } });

test('the callers of an operation are listed with first call, last call and count, newest first', async () => {
  const { body, headers } = await admin.get('/v1/operations/old/callers');
  expect(body.items[0]).toEqual({
    key: ids[2],
    owner: 'globex',
    email: 'ann@globex.example',
    plan: 'free',
    firstAt: new Date(NOW - 1000 * MINUTE + 2).toISOString(),
    lastAt: '2026-06-15T11:52:05.000Z',
    requests: 4,
  });
  expect(body.items.map(({ key }: { key: string }) => key)).toEqual(ids.toReversed());
  expect([body.nextCursor, headers.get('vary')]).toEqual([null, 'Accept']);
});

test('the callers of an operation are listed in pages', async () => {
  const first = (await admin.get('/v1/operations/old/callers?limit=2')).body;
  const second = (await admin.get(`/v1/operations/old/callers?limit=2&cursor=${first.nextCursor}`)).body;
  expect([...first.items, ...second.items].map(({ key }) => key)).toEqual(ids.toReversed());
  expect(second.nextCursor).toBeNull();
  expectError(await admin.get('/v1/operations/old/callers?cursor=b2xkOjE'), 400, 'validation_failed', '/query/cursor');
});

test('the callers of an operation are returned as CSV on request, with a link to the next page', async () => {
  const first = await csv('/v1/operations/old/callers?limit=2');
  expect(first.headers.get('content-type')).toBe('text/csv');
  const [header, ...lines] = first.text.split('\n');
  expect(header).toBe('key,owner,email,plan,firstAt,lastAt,requests');
  expect(lines[1]).toMatch(new RegExp(`^${ids[1]},"a, ""b""",,free,2026-.*Z,2026-06-15T11:51:05.000Z,4$`));
  const next = /^<(\S+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await csv(next);
  expect(second.text.split('\n')[1]).toMatch(new RegExp(`^${ids[0]},acme,`));
  expect(second.headers.get('link')).toBeNull();
  expect((await csv('/v1/operations/old/callers', 'text/csv;q=0.5, application/json')).body.items).toHaveLength(3);
  expect((await csv('/v1/operations/old/callers', 'image/png')).body.items).toHaveLength(3);
});

/** Operators may open the CSV in a spreadsheet, which would run formulas, and consumers choose the names in it. */
test('no cell of the CSV is a formula', async () => {
  const owner = '=HYPERLINK("http://127.0.0.1/?"&A1,"open")';
  const keyId = (await admin.post('/v1/keys', { name: 'a', owner, plan: 'free' })).body.id;
  await addCounts(admin.history, { keyId, operation: 'formula', minute: NOW, lastAt: NOW });
  const [, line] = (await csv('/v1/operations/formula/callers')).text.split('\n');
  expect(line).toContain(`${keyId},"'=HYPERLINK(""http://127.0.0.1/?""&A1,""open"")",,free,`);
});

/**
 * If an unknown id returned an empty list, a misspelled id would look like an operation without callers, and someone
 * could remove an operation that is in use.
 */
test('an operation without calls has an empty list of callers, and an unknown operation returns 404', async () => {
  expect((await admin.get('/v1/operations/getPet/callers')).body).toEqual({ items: [], nextCursor: null });
  expectError(await admin.get('/v1/operations/getPett/callers'), 404, 'operation_not_found');
});

test('an operation without an operationId is found by its method and path', async () => {
  const path = `/v1/operations/${encodeURIComponent('GET /pets/{id}')}/callers`;
  expect((await admin.get(path)).body.items).toMatchObject([{ key: ids[0], requests: 1 }]);
});

test('the invalid requests of an operation whose id has slashes can be listed', async () => {
  const path = `/v1/operations/${encodeURIComponent('GET /pets/{id}')}/violations?by=rule`;
  expect((await admin.get(path)).body).toMatchObject({ items: [], nextCursor: null });
});
