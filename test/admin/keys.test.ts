import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashSecret, isWellFormed } from '../../src/registry/key-format.ts';
import { expectError, NOW, startAdmin, TOKEN, type Admin } from '../support/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const wanted = { name: 'Shop', owner: 'acme', plan: 'free' };
const create = async (over: object = {}) => (await admin.post('/v1/keys', { ...wanted, ...over })).body;

describe('creating a key', () => {
  test('answers with all of it, and the secret this once', async () => {
    const { status, body, headers } = await admin.post('/v1/keys', wanted);
    expect(status).toBe(201);
    const { key: secret, ...shown } = body;
    expect(isWellFormed(secret)).toBe(true);
    expect(shown).toEqual({
      ...wanted,
      id: expect.stringMatching(/^key_[0-9A-Za-z]{20}$/),
      limits: null,
      prefix: secret.slice(0, 12),
      lastFour: secret.slice(-4),
      status: 'active',
      metadata: {},
      createdAt: '2026-06-15T12:00:00.000Z',
      expiresAt: null,
      lastUsedAt: null,
      quotaId: body.id,
      rotatedTo: null,
    });
    expect(headers.get('location')).toBe(`/v1/keys/${body.id}`);
    const read = await admin.get(headers.get('location') ?? '');
    expect([read.status, read.body]).toEqual([200, shown]);
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    expect(await admin.registry.findKeyByHash(hashSecret(secret))).toMatchObject({ id: body.id });
  });

  test('takes limits where the plan is custom, an end, and metadata', async () => {
    const over = { plan: 'enterprise', limits: { minute: 5, day: 9 }, metadata: { team: 'a', constructor: 'b' } };
    const key = await create({ ...over, expiresAt: '2026-06-15T14:00:00+01:00' });
    expect(key).toMatchObject({ ...over, expiresAt: '2026-06-15T13:00:00.000Z' });
  });

  test('is in the audit log, with who and why', async () => {
    const headers = { 'X-Change-Reason': 'contract 42' };
    const { body } = await admin.call('POST', '/v1/keys', { json: wanted, headers });
    const { items } = await admin.registry.listAudit({ subject: body.id }, { limit: 10 });
    expect(items).toEqual([expect.objectContaining({ actor: 'ops', reason: 'contract 42', action: 'key.create' })]);
  });

  test.each([
    ['a field that is not known', { ...wanted, admin: true }, '/admin'],
    ['__proto__', JSON.parse(JSON.stringify(wanted).replace('{', '{"__proto__":{},')), '/__proto__'],
    ['no owner', { name: 'a', plan: 'free' }, '/owner'],
    ['a name of a wrong type', { ...wanted, name: 7 }, '/name'],
    ['a blank name', { ...wanted, name: '  ' }, '/name'],
    ['a name with a line break', { ...wanted, name: 'a\nb' }, '/name'],
    ['an endless name', { ...wanted, name: 'n'.repeat(129) }, '/name'],
    ['an empty owner', { ...wanted, owner: '' }, '/owner', '/owner'],
    ['an owner that is not ASCII', { ...wanted, owner: 'café' }, '/owner'],
    ['an endless owner', { ...wanted, owner: 'o'.repeat(129) }, '/owner'],
    ['an unknown plan', { ...wanted, plan: 'gold' }, '/plan'],
    ['no plan', { ...wanted, plan: null }, '/plan'],
    ['limits on a plan that has its own', { ...wanted, limits: { minute: 1, day: 1 } }, '/limits'],
    ['a custom plan without limits', { ...wanted, plan: 'enterprise' }, '/limits'],
    ['an end in the past', { ...wanted, expiresAt: '2026-06-15T12:00:00Z' }, '/expiresAt'],
    ['an end that is no time', { ...wanted, expiresAt: 'tomorrow' }, '/expiresAt'],
    ['an end on a day that is none', { ...wanted, expiresAt: '2027-02-30T00:00:00Z' }, '/expiresAt'],
    ['an end without an offset', { ...wanted, expiresAt: '2027-02-03T00:00:00' }, '/expiresAt'],
    ['an end as a number', { ...wanted, expiresAt: NOW + 1000 }, '/expiresAt'],
    ['metadata that is not text', { ...wanted, metadata: { a: 1 } }, '/metadata/a'],
    ['a status', { ...wanted, status: 'revoked' }, '/status'],
    ['a list', [wanted], ''],
    ['text', 'a', ''],
    ['null', null, ''],
  ])('with %s is refused, saying where', async (_, json, ...paths) => {
    const before = (await admin.get('/v1/keys?limit=1')).text;
    expectError(await admin.post('/v1/keys', json), 400, 'validation_failed', ...paths);
    expect((await admin.get('/v1/keys?limit=1')).text).toBe(before);
  });

  test.each(['0', '-1', '1.5', '"5"', 'null', '1e21', '9007199254740992', 'true', '[]'])(
    'with a limit of %s is refused',
    async (text) => {
      for (const field of ['minute', 'day']) {
        const limits = { minute: 5, day: 9, [field]: 'HERE' };
        const raw = JSON.stringify({ ...wanted, plan: 'enterprise', limits }).replace('"HERE"', text);
        const answer = await admin.call('POST', '/v1/keys', { raw });
        expectError(answer, 400, 'validation_failed', `/limits/${field}`);
      }
    },
  );

  test('with a day limit below the minute limit, half of the limits, or none is refused', async () => {
    for (const [limits, path] of [
      [{ minute: 10, day: 9 }, '/limits'],
      [{ minute: 10 }, '/limits/day'],
      [{ minute: 10, day: 10, hour: 10 }, '/limits/hour'],
      [null, '/limits'],
      [7, '/limits'],
    ] as const) {
      const answer = await admin.post('/v1/keys', { ...wanted, plan: 'enterprise', limits });
      expectError(answer, 400, 'validation_failed', path);
    }
  });

  test('tells several faults at once', async () => {
    const answer = await admin.post('/v1/keys', { name: '', plan: 3, extra: 1 });
    expect(answer.body.details.map((one: { path: string }) => one.path).toSorted()).toEqual([
      '/extra',
      '/name',
      '/name',
      '/owner',
      '/plan',
    ]);
  });
});

describe('a body', () => {
  const send = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    admin.call('POST', '/v1/keys', { raw, headers });

  test('must be application/json', async () => {
    const json = JSON.stringify(wanted);
    for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded', 'text/json', '']) {
      expectError(await send(json, { 'Content-Type': type }), 415, 'unsupported_media_type');
    }
    expectError(
      await send(json, { 'Content-Type': 'application/json; charset=latin1' }),
      415,
      'unsupported_media_type',
    );
    expectError(await send(json, { 'Content-Encoding': 'gzip' }), 415, 'unsupported_media_type');
    expect((await send(json, { 'Content-Type': 'Application/JSON; charset=UTF-8' })).status).toBe(201);
  });

  test('must be there, and be JSON', async () => {
    expectError(await admin.call('POST', '/v1/keys'), 400, 'bad_request');
    for (const text of ['{', '{"a":}', 'tg_live_abc', "{'a': 1}", '\u0000']) {
      expectError(await send(text), 400, 'bad_request');
    }
  });

  test('has at most 1 MB, however it is sent', async () => {
    expectError(await send(`"${'x'.repeat(1024 * 1024 - 1)}"`), 413, 'body_too_large');
    const fits = await send(`"${'x'.repeat(1024 * 1024 - 2)}"`);
    expectError(fits, 400, 'validation_failed', '');
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const head = `POST /v1/keys HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
    const { status } = await admin.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(33)}0\r\n\r\n`);
    expect(status).toBe(413);
  });
});

describe('listing keys', () => {
  test('pages newest first, and filters', async () => {
    const ids: string[] = [];
    for (const owner of ['initech', 'umbrella', 'initech', 'initech']) ids.unshift((await create({ owner })).id);
    await admin.patch(`/v1/keys/${ids[0]}`, { status: 'disabled' });
    const list = async (query: string) => {
      const { body } = await admin.get(`/v1/keys?${query}`);
      return body.items.map(({ id }: { id: string }) => id);
    };
    expect((await list('')).slice(0, 4)).toEqual(ids);
    expect(await list('owner=initech')).toEqual([ids[0], ids[1], ids[3]]);
    expect(await list('owner=initech&status=active&plan=free')).toEqual([ids[1], ids[3]]);
    expect(await list('plan=pro&owner=initech')).toEqual([]);

    const first = (await admin.get('/v1/keys?owner=initech&limit=2')).body;
    const second = (await admin.get(`/v1/keys?owner=initech&limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([ids[0], ids[1], ids[3]]);
    expect(second.nextCursor).toBeNull();
  });

  test('has 20 to a page unless asked', async () => {
    for (let count = 0; count < 21; count++) await create({ owner: 'many' });
    const { body } = await admin.get('/v1/keys?owner=many');
    expect([body.items.length, typeof body.nextCursor]).toEqual([20, 'string']);
    expect((await admin.get('/v1/keys?owner=many&limit=100')).body.items).toHaveLength(21);
  });

  test.each([
    ['limit=0', '/query/limit'],
    ['limit=101', '/query/limit'],
    ['limit=1.5', '/query/limit'],
    ['limit=1e1', '/query/limit'],
    ['limit=', '/query/limit'],
    ['limit=%zz', '/query/limit'],
    ['limit=5&limit=6', '/query/limit'],
    ['cursor=', '/query/cursor'],
    ['cursor=abc', '/query/cursor'],
    ['status=gone', '/query/status'],
    ['plan=%F0%9F%98%80', '/query/plan'],
    ['colour=red', '/query/colour'],
    ['__proto__=1', '/query/__proto__'],
  ])('with %s is refused, saying where', async (query, path) => {
    expectError(await admin.get(`/v1/keys?${query}`), 400, 'validation_failed', path);
  });
});

describe('changing a key', () => {
  test('changes what is given and leaves the rest', async () => {
    const { key: _, ...before } = await create({ metadata: { a: '1' } });
    const change = { name: 'New', plan: 'pro', status: 'disabled', expiresAt: '2030-01-01T00:00:00Z', metadata: {} };
    const { status, body } = await admin.patch(`/v1/keys/${before.id}`, { ...change, reason: 'because' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...change, expiresAt: '2030-01-01T00:00:00.000Z' });
    expect((await admin.patch(`/v1/keys/${before.id}`, { expiresAt: null })).body.expiresAt).toBeNull();
    const { items } = await admin.registry.listAudit({ subject: before.id }, { limit: 10 });
    expect(items[1]).toMatchObject({ action: 'key.update', actor: 'ops', reason: 'because', before: { name: 'Shop' } });
  });

  test('to a custom plan needs limits, and back loses them', async () => {
    const { id } = await create();
    const path = `/v1/keys/${id}`;
    expectError(await admin.patch(path, { plan: 'enterprise' }), 400, 'validation_failed', '/limits');
    const limits = { minute: 7, day: 70 };
    expect((await admin.patch(path, { plan: 'enterprise', limits })).body.limits).toEqual(limits);
    expectError(await admin.patch(path, { limits: { minute: 0, day: 1 } }), 400, 'validation_failed', '/limits/minute');
    expect((await admin.patch(path, { plan: 'free' })).body.limits).toBeNull();
  });

  test.each([
    [{}, ''],
    [{ owner: 'other' }, '/owner'],
    [{ plan: 'gold' }, '/plan'],
    [{ status: 'expired' }, '/status'],
    [{ quotaId: 'key_a' }, '/quotaId'],
    [{ reason: 7 }, '/reason'],
  ])('to %j is refused', async (json, path) => {
    const { id } = await create();
    expectError(await admin.patch(`/v1/keys/${id}`, json), 400, 'validation_failed', path);
  });

  test('that is revoked is a conflict; revoking it again is not', async () => {
    const { id } = await create();
    const revoked = await admin.delete(`/v1/keys/${id}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect((await admin.get(`/v1/keys/${id}`)).body.status).toBe('revoked');
    expectError(await admin.patch(`/v1/keys/${id}`, { status: 'active' }), 409, 'conflict');
    expect((await admin.delete(`/v1/keys/${id}`)).status).toBe(204);
    const { items } = await admin.registry.listAudit({ subject: id }, { limit: 10 });
    expect(items.map(({ action }) => action)).toEqual(['key.revoke', 'key.create']);
  });

  test('that does not exist is 404', async () => {
    for (const id of ['key_00000000000000000000', 'a', '%2a', 'x'.repeat(5000)]) {
      expectError(await admin.get(`/v1/keys/${id}`), 404, 'key_not_found');
      expectError(await admin.patch(`/v1/keys/${id}`, { name: 'a' }), 404, 'key_not_found');
      expectError(await admin.delete(`/v1/keys/${id}`), 404, 'key_not_found');
    }
  });

  test('is made on the condition that nobody else changed it', async () => {
    const made = await admin.post('/v1/keys', wanted);
    const path = `/v1/keys/${made.body.id}`;
    const old = made.headers.get('etag') ?? '';
    const change = (ifMatch: string) =>
      admin.call('PATCH', path, { json: { name: `${Math.random()}` }, headers: { 'If-Match': ifMatch } });

    const changed = await change(`"0", ${old}`);
    expect(changed.status).toBe(200);
    const now = changed.headers.get('etag') ?? '';
    for (const tag of [old, `W/${now}`, '"0"', 'junk']) expectError(await change(tag), 412, 'precondition_failed');
    expectError(await admin.call('DELETE', path, { headers: { 'If-Match': old } }), 412, 'precondition_failed');
    expect((await change('*')).status).toBe(200);
    expectError(
      await admin.call('PATCH', '/v1/keys/none', { json: { name: 'a' }, headers: { 'If-Match': '*' } }),
      404,
      'key_not_found',
    );
    expect((await admin.call('GET', path, { headers: { 'If-None-Match': '*' } })).status).toBe(200);
  });

  test('by two at once, on the same condition, is done by one', async () => {
    const made = await admin.post('/v1/keys', wanted);
    const headers = { 'If-Match': made.headers.get('etag') ?? '' };
    const both = ['one', 'two'].map((name) =>
      admin.call('PATCH', `/v1/keys/${made.body.id}`, { json: { name }, headers }),
    );
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses).toHaveLength(2);
    expect(new Set(statuses)).toEqual(new Set([200, 412]));
  });
});

test('a secret is nowhere but in the answer that made it', async () => {
  const secret: string = (await create()).key;
  await admin.get(`/v1/keys/${secret}`);
  await admin.get(`/v1/keys?owner=${secret}`);
  await admin.get(`/v1/${secret}?${secret}=1`);
  for (const json of [
    { ...wanted, [secret]: 1 },
    { ...wanted, name: secret },
    { ...wanted, metadata: { a: secret } },
  ]) {
    const answer = await admin.post('/v1/keys', json);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(secret);
  }
  expect((await admin.call('POST', '/v1/keys', { raw: `{"key": "${secret}"` })).text).not.toContain(secret);
  expect((await admin.get('/v1/keys')).text).not.toContain(hashSecret(secret));
  const kept = readdirSync(admin.folder).map((file) => readFileSync(join(admin.folder, file), 'latin1'));
  for (const text of [...kept, ...admin.logs]) {
    expect(text.includes(secret)).toBe(false);
    expect(text.includes(TOKEN)).toBe(false);
  }
});
