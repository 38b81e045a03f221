/** A browser can offer its access token among the subprotocols of a WebSocket, just like a key. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSubprotocolGateway, type SubprotocolGateway } from '../../support/gateway/subprotocol-gateway.ts';
import { callWithToken } from '../../support/gateway/token-gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import {
  createIssuerKey,
  encode,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { parseSight } from '../../support/services/subprotocol-service.ts';
import { until } from '../../support/until.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let hiding: TokenIssuerServer;
let gateway: SubprotocolGateway;
beforeAll(async () => {
  [issuer, hiding] = await Promise.all([startTokenIssuer([key.jwk]), startTokenIssuer([key.jwk])]);
  gateway = await startSubprotocolGateway({
    tokens: [
      { name: 'corp', issuer: issuer.url, audience: [AUDIENCE] },
      { name: 'hiding', issuer: hiding.url, audience: [AUDIENCE], forward: false },
    ],
    guard: { failedAttempts: 1000 },
  });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
  hiding.stop();
});

function createToken(claims: object = {}, iss = issuer.url): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  return signToken(key, { alg: key.alg, kid: 'one' }, { iss, aud: AUDIENCE, azp: 'app', exp, ...claims });
}

const offer = (...names: readonly string[]) => `Sec-WebSocket-Protocol: ${names.join(', ')}`;
const tokenOffer = (token: string, ...more: readonly string[]) => offer('tollgate', `tollgate.token.${token}`, ...more);
const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

async function shake(path: string, ...lines: readonly string[]) {
  const connection = new RawConnection(gateway.url);
  connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${[HANDSHAKE, ...lines].join('\r\n')}\r\n\r\n`);
  const { status, head, body } = await connection.readResponse();
  connection.close();
  const [, selected = null] = /^sec-websocket-protocol: *(.*)$/im.exec(head) ?? [];
  return { status, head, body, selected };
}

/** Reads the headers that the service received. */
function readHeaders(head: string): Record<string, string> {
  return (JSON.parse(parseSight(head).all) as [string, string[], Record<string, string>])[2];
}

describe.each(['/http', '/module'])('a handshake with a service at %s', (prefix) => {
  test('is served, and the service receives the token as if it had been sent in Authorization', async () => {
    for (const token of [createToken(), createToken({ sub: 'ann' })]) {
      for (const path of ['/plain', '/plain/public']) {
        const { status, head, selected } = await shake(prefix + path, tokenOffer(token));
        expect([status, selected]).toEqual([101, 'tollgate']);
        expect(readHeaders(head)).toMatchObject({
          authorization: `Bearer ${token}`,
          'x-consumer-id': 'corp:app',
          'x-consumer-plan': 'free',
          'x-credential-id': expect.stringMatching(/^key_/),
        });
        expect(parseSight(head)).toMatchObject({ offered: null, lines: [] });
        expect(decodeURIComponent(head)).not.toContain('tollgate.token');
      }
    }
  });

  test('selects the subprotocol that the service selects', async () => {
    const { status, head, selected } = await shake(`${prefix}/chat`, tokenOffer(createToken(), 'chat.v2'));
    expect([status, selected, parseSight(head).lines]).toEqual([101, 'chat.v2', ['chat.v2']]);
  });

  test('does not forward a token with forward: false, wherever it was sent', async () => {
    const token = createToken({}, hiding.url);
    for (const line of [tokenOffer(token), `Authorization: Bearer ${token}`]) {
      const { status, head } = await shake(`${prefix}/plain`, line);
      expect([status, readHeaders(head)['x-consumer-id']]).toEqual([101, 'hiding:app']);
      expect(readHeaders(head)).not.toHaveProperty('authorization');
      expect(decodeURIComponent(head)).not.toContain(token);
    }
    const { status, headers } = await callWithToken(gateway, token, {}, { path: `${prefix}/plain` });
    const received = readHeaders(`X-Seen: ${headers.get('x-seen')}`);
    expect([status, received['x-consumer-id'], received['authorization']]).toEqual([201, 'hiding:app', undefined]);
    expect(received).toMatchObject({ 'x-consumer-plan': 'free', 'x-credential-id': expect.stringMatching(/^key_/) });
  });

  test('forwards the Authorization that the service needs beside an offered token', async () => {
    for (const token of [createToken(), createToken({}, hiding.url)]) {
      for (const credentials of ['Basic YTpi', `Bearer ${createToken({}, 'https://other.example.com')}`]) {
        const { status, head } = await shake(`${prefix}/plain`, tokenOffer(token), `Authorization: ${credentials}`);
        expect([status, readHeaders(head)['authorization']]).toEqual([101, credentials]);
        expect(decodeURIComponent(head)).not.toContain(token);
      }
    }
  });

  test('with a key as well counts as a call of the key', async () => {
    for (const keyLine of [`X-API-Key: ${gateway.demoKey}`, offer(`tollgate.key.${gateway.demoKey}`)]) {
      const { status, head } = await shake(`${prefix}/plain`, tokenOffer(createToken()), keyLine);
      expect([status, parseSight(head).consumer]).toEqual([101, 'demo']);
    }
  });
});

test.each<[string, () => readonly string[], string]>([
  ['two tokens', () => [tokenOffer(createToken(), `tollgate.token.${createToken()}`)], '400 key_ambiguous'],
  [
    'a token in Authorization too',
    () => [tokenOffer(createToken()), `Authorization: Bearer ${createToken()}`],
    '400 key_ambiguous',
  ],
  [
    'the same token in Authorization',
    () => {
      const token = createToken();
      return [tokenOffer(token), `Authorization: Bearer ${token}`];
    },
    '400 key_ambiguous',
  ],
  ['an expired token', () => [tokenOffer(createToken({ exp: 1 }))], '401 token_expired'],
  ['a token with another signature', () => [tokenOffer(`${createToken().slice(0, -8)}AAAAAAAA`)], '401 token_invalid'],
  ['a token of another issuer', () => [tokenOffer(createToken({}, 'https://other.example.com'))], '401 token_invalid'],
  [
    'a token with two issuers',
    () => [tokenOffer(`${encode('{}')}.${encode('{"iss":"a","iss":"b"}')}.AA`)],
    '401 token_invalid',
  ],
  ['no token', () => [tokenOffer('opaque')], '401 token_invalid'],
  [
    'an expired token and a key',
    () => [tokenOffer(createToken({ exp: 1 })), `X-API-Key: ${gateway.demoKey}`],
    '401 token_expired',
  ],
  ['an empty token', () => [tokenOffer('')], '400 bad_request'],
  ['the token without tollgate', () => [offer(`tollgate.token.${createToken()}`)], '400 bad_request'],
  ['capitals in the name', () => [offer('tollgate', `tollgate.Token.${createToken()}`)], '400 bad_request'],
])('a handshake with %s is refused', async (_, lines, expected) => {
  const { status, head, body } = await shake('/http/plain', ...lines());
  expect(`${status} ${(JSON.parse(body) as { code: string }).code}`).toBe(expected);
  expect(head + body).not.toMatch(/eyJ/);
  const challenge = expect.stringMatching(/^www-authenticate: Bearer error="invalid_token", resource_metadata="/im);
  if (status === 401) expect(head).toEqual(challenge);
});

test('a gateway that accepts no tokens refuses a handshake with a token', async () => {
  const other = await startSubprotocolGateway();
  const connection = new RawConnection(other.url);
  connection.send(`GET /http/plain HTTP/1.1\r\nHost: x\r\n${HANDSHAKE}\r\n${tokenOffer(createToken())}\r\n\r\n`);
  const { status, body } = await connection.readResponse();
  expect([status, body]).toEqual([400, expect.stringContaining('This API accepts no access tokens.')]);
  connection.close();
  await other.stop();
});

test('an ordinary request does not authenticate with an offered token, and the service does not see it', async () => {
  const token = createToken();
  const call = (secret: string | null) =>
    gateway.call('/http/plain', {
      key: secret,
      headers: { 'sec-websocket-protocol': `tollgate, tollgate.token.${token}` },
    });
  expect((await call(null)).status).toBe(401);
  const { status, headers } = await call(gateway.demoKey);
  expect([status, decodeURIComponent(headers.get('x-seen') ?? token).includes(token)]).toEqual([201, false]);
});

test('no part of a token is in the log or in any file of the gateway', async () => {
  const logged = gateway.responses().length;
  await shake('/http/plain', tokenOffer(createToken({ azp: 'last' })));
  await until(() => gateway.responses().length > logged);
  const claims = encode({ iss: issuer.url }).slice(0, 30);
  expect(createToken()).toContain(claims);
  expect(gateway.logs.join('\n')).not.toContain(claims);
  for (const { parentPath, name } of readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true })) {
    if (/\.db(?:-wal)?$/.test(name)) expect(readFileSync(join(parentPath, name)).includes(claims)).toBe(false);
  }
});
