import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { document } from '../../../support/gateway/admin-responses.ts';
import { Events } from '../../../../src/control-plane/events/events.ts';
import { captureLog } from '../../../support/log-lines.ts';
import { expectError, NOW, PUBLISHER, startAdmin, TOKEN, VIEWER, type Admin } from '../../../support/gateway/admin.ts';
import { signIn } from '../../../support/gateway/browser.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const publish = (json: object, token: string | null = PUBLISHER) => admin.call('POST', '/v1/events', { json, token });
const publishRaw = (raw: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  admin.call('POST', '/v1/events', { raw, token: PUBLISHER, headers });
/** Reads the stored events, newest first. */
const storedEvents = async () => (await new Events(admin.database, captureLog().logger).list({}, { limit: 100 })).items;
const event = { type: 'pet.created', data: { id: 1 } };

describe('a service', () => {
  test('publishes events of its own upstream, and an event that it sends twice is stored once', async () => {
    const first = await publish({ ...event, id: 'outbox-1', subject: '1' });
    expect([first.status, first.body]).toEqual([202, { id: expect.stringMatching(/^evt_\w{20}$/), isNew: true }]);
    const again = await publish({ ...event, id: 'outbox-1', data: {} });
    expect([again.status, again.body]).toEqual([200, { id: first.body.id, isNew: false }]);
    const about = { type: 'pet.created', subject: '1', owner: null, source: 'pets', at: NOW, data: { id: 1 } };
    expect(await storedEvents()).toEqual([{ sequence: expect.any(Number), id: first.body.id, ...about }]);
  });

  // The response may arrive too late or not at all, so a service must be able to publish the same event again.
  test('can retry an event if it did not get a response', async () => {
    const body = JSON.stringify({ ...event, id: 'given-up', subject: 'given up' });
    const { hostname, port } = new URL(admin.url);
    const head = `POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${PUBLISHER}\r\nContent-Type: application/json`;
    for (let attempt = 0; attempt < 5; attempt++) {
      const socket = connect(Number(port), hostname);
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, () => socket.destroy());
      await once(socket, 'close');
    }
    const { status } = await publishRaw(body);
    expect([200, 202]).toContain(status);
    expect((await publishRaw(body)).status).toBe(200);
    expect((await storedEvents()).filter(({ subject }) => subject === 'given up')).toHaveLength(1);
  });

  test('can send large numbers and decimals without losing digits', async () => {
    for (const text of ['{"id":9007199254740993}', '{"id":-9223372036854775808,"x":1.10}']) {
      expect((await publishRaw(`{ "type": "pet.created", "data": ${text} }`)).status).toBe(202);
      expect(JSON.stringify((await storedEvents())[0]?.data)).toBe(text);
    }
  });

  test('can set the time of an event, but not to a time in the future', async () => {
    const at = async (text: string) => {
      expect((await publish({ ...event, at: text })).status).toBe(202);
      return (await storedEvents())[0]?.at;
    };
    expect(await at('2026-01-02T03:04:05.678+01:00')).toBe(Date.parse('2026-01-02T02:04:05.678Z'));
    expect(await at('1970-01-01T00:00:00Z')).toBe(0);
    expect(await at(new Date(NOW + 1).toISOString())).toBe(NOW);
    expect(await at('9999-12-31T23:59:59Z')).toBe(NOW);
  });

  test('does not write to the audit log', async () => {
    const before = (await admin.get('/v1/audit')).body;
    await publish(event);
    expect((await admin.get('/v1/audit')).body).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['a type of another service', { ...event, type: 'mouse.created' }, '/type'],
    ['a type of the gateway', { ...event, type: 'key.created' }, '/type'],
    ['invalid data', { ...event, data: { id: 'x' } }, '/data/id'],
    ['data that is not an object', { ...event, data: [] }, '/data'],
    ['data as text', { ...event, data: '{}' }, '/data'],
    ['too much data', { ...event, data: { a: 'x'.repeat(64 * 1024) } }, '/data'],
    ['an id with a space', { ...event, id: 'a b' }, '/id'],
    ['a subject that is too long', { ...event, subject: 'x'.repeat(201) }, '/subject'],
    ['an invalid time', { ...event, at: NOW }, '/at'],
    ['a day that does not exist', { ...event, at: '2026-02-30T00:00:00Z' }, '/at'],
    ['a time before 1970', { ...event, at: '1969-12-31T23:59:59Z' }, '/at'],
    ['an unknown field', { ...event, time: 0 }, '/time'],
    ['no type', { data: {} }, '/type'],
    ['no data', { type: 'pet.created' }, '/data'],
  ])('cannot publish %s', async (_, json, path) => {
    const before = await storedEvents();
    expectError(await publish(json), 400, 'validation_failed', path);
    expect(await storedEvents()).toEqual(before);
  });

  test('gets an error if its body is too deep, too large, not JSON or not UTF-8', async () => {
    const deep = (levels: number) => `{"type":"pet.created","data":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    expect((await publishRaw(deep(31))).status).toBe(202);
    for (const levels of [32, 100_000]) expectError(await publishRaw(deep(levels)), 400, 'validation_failed', '/data');
    expectError(await publishRaw('{"type"'), 400, 'bad_request');
    expectError(await publishRaw(`{"a":"${'x'.repeat(1024 * 1024)}"}`), 413, 'body_too_large');
    const headers = { 'Content-Type': 'application/json; charset=utf-16' };
    const utf16 = new Uint8Array(Buffer.from(JSON.stringify(event), 'utf16le'));
    expectError(await publishRaw(utf16, headers), 415, 'unsupported_media_type');
    expect((await publishRaw(`\ufeff${JSON.stringify(event)}`)).status).toBe(202);
  });

  test('is told in the error which event types it can publish', async () => {
    const { body } = await publish({ ...event, type: 'mouse.created' });
    expect(body.details).toEqual([{ path: '/type', message: 'is not an event of pets. Its document has pet.created' }]);
  });
});

describe('callers other than a service', () => {
  test('cannot publish, whether they are admins, viewers, signed-in users or without a valid token', async () => {
    const before = await storedEvents();
    for (const token of [TOKEN, VIEWER]) expectError(await publish(event, token), 403, 'forbidden');
    expectError(await (await signIn(admin)).call('POST', '/v1/events', { json: event }), 403, 'forbidden');
    expectError(await publish(event, null), 401, 'unauthorized');
    expectError(await publish(event, 'wrong'), 401, 'unauthorized');
    // The path is refused in another spelling, too.
    expectError(await admin.call('POST', '/v1/%65vents', { json: event }), 403, 'forbidden');
    expect(await storedEvents()).toEqual(before);
  });
});

describe('the token of a publisher', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      path: `/v1${path.replaceAll(/\{\w+\}/g, 'x')}`,
    })),
  );

  test('gets 403 for all operations except publishing, with or without a body', async () => {
    expect(operations.length).toBeGreaterThan(40);
    for (const { method, path } of operations.filter((one) => one.method !== 'POST' || one.path !== '/v1/events')) {
      for (const sent of method === 'GET' ? [{}] : [{}, { json: { token: TOKEN } }, { raw: '{' }]) {
        const response = await admin.call(method, path, { ...sent, token: PUBLISHER });
        expect([method, path, response.status, response.body?.code]).toEqual([method, path, 403, 'forbidden']);
        expect(response.headers.get('set-cookie')).toBeNull();
      }
    }
  });

  test('gets 403 for unknown paths as well, in any spelling', async () => {
    const paths = [
      '/',
      '/v1',
      '/v1/unknown',
      '/v1/openapi.json',
      '/v1/events/',
      '/V1/events',
      '/v1/%65vents',
      '//v1/events',
    ];
    for (const path of [...paths, '/v1/%2e%2e/events', '/v1/session/', '*', 'http://a/v1/events']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${PUBLISHER}\r\nConnection: close\r\n\r\n`;
        expect([method, path, (await admin.raw(head)).status]).toEqual([method, path, 403]);
      }
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
      expect((await admin.call(method, '/v1/events', { token: PUBLISHER })).status).toBe(403);
    }
  });

  test('cannot sign in or create a sign-in link', async () => {
    const attempt = await admin.call('POST', '/v1/session', { token: null, json: { token: PUBLISHER } });
    expectError(attempt, 403, 'forbidden');
    expect(attempt.headers.get('set-cookie')).toBeNull();
    expectError(await admin.call('POST', '/v1/session/link', { token: PUBLISHER }), 403, 'forbidden');
  });

  test('ends the sessions that it had as an admin token', async () => {
    const browser = await signIn(admin);
    const tokens = [{ name: 'ops', role: 'publisher', upstream: 'pets', secret: TOKEN } as const];
    const after = await startAdmin({ tokens, sessions: admin.sessions });
    const response = await after.call('GET', '/v1/session', { token: null, headers: { Cookie: browser.cookie } });
    await after.stop();
    expectError(response, 401, 'unauthorized');
  });
});
