import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, startAdmin, TOKEN, type Admin } from '../../support/gateway/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const wanted = { name: 'Shop', owner: 'acme', plan: 'free' };

describe('a request body', () => {
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
    // The gateway once decoded these charsets, so another parser could read a different text in the bytes that were
    // validated.
    for (const charset of ['utf-7', '"utf-16"', 'UTF-16LE', 'utf-32', 'utf-8x', '']) {
      const headers = { 'Content-Type': `application/json;v=1; charset=${charset}` };
      expectError(await send('{"owner":"acme","name":"+AGE-","plan":"free"}', headers), 415, 'unsupported_media_type');
    }
    expectError(await send(json, { 'Content-Encoding': 'gzip' }), 415, 'unsupported_media_type');
    for (const charset of ['UTF-8', '"utf-8"', 'utf-8 ; v=1']) {
      expect((await send(json, { 'Content-Type': `Application/JSON; charset=${charset}` })).status).toBe(201);
    }
  });

  test('must be present and valid JSON', async () => {
    expectError(await admin.call('POST', '/v1/keys'), 400, 'bad_request');
    for (const text of ['{', '{"a":}', 'tg_live_abc', "{'a': 1}", '\u0000']) {
      expectError(await send(text), 400, 'bad_request');
    }
    const latin1 = new Uint8Array(Buffer.from(JSON.stringify({ ...wanted, name: 'Café' }), 'latin1'));
    expectError(await send(latin1), 400, 'bad_request');
  });

  test('must not exceed 1 MB, whether or not it is chunked', async () => {
    expectError(await send(`"${'x'.repeat(1024 * 1024 - 1)}"`), 413, 'body_too_large');
    const fits = await send(`"${'x'.repeat(1024 * 1024 - 2)}"`);
    expectError(fits, 400, 'validation_failed', '');
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const head = `POST /v1/keys HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const { status } = await admin.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(33)}0\r\n\r\n`);
    expect(status).toBe(413);
  });
});
