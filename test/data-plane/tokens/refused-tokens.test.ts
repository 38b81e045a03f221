/**
 * Attacks on access tokens (RFC 8725), and tokens that are meant for something else. The gateway must refuse each, and
 * the service must not see it.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPublicKey } from 'node:crypto';
import { RawConnection } from '../../support/raw.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  encode,
  signToken,
  signWithHmac,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';

const AUDIENCE = 'https://api.example.com';
const rsa = createIssuerKey('RS256', 'rsa');
const second = createIssuerKey('RS256', 'second');
const ec = createIssuerKey('ES256', 'ec');
const weak = createIssuerKey('RS256', 'weak', {}, 1024);
const forEncryption = createIssuerKey('RS256', 'enc', { use: 'enc' });
const forSigning = createIssuerKey('RS256', 'ops', { key_ops: ['sign'] });
const forPss = createIssuerKey('RS256', 'pss', { alg: 'PS256' });
const attacker = createIssuerKey('RS256', 'rsa');
const others = createIssuerKey('RS256', 'rsa');

let issuer: TokenIssuerServer;
let other: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([rsa, second, ec, weak, forEncryption, forSigning, forPss].map(({ jwk }) => jwk));
  other = await startTokenIssuer([others.jwk]);
  const tokens = [
    { name: 'corp', issuer: issuer.url, audience: [AUDIENCE] },
    { name: 'other', issuer: other.url, audience: [AUDIENCE] },
  ];
  gateway = await startTokenGateway(tokens, { more: { edge: { maxHeader: '64kb' } } });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
  other.stop();
});

const now = () => Math.floor(Date.now() / 1000);
const claims = (more: object = {}) => ({ iss: issuer.url, aud: AUDIENCE, azp: 'app', exp: now() + 300, ...more });
const token = (more: object = {}, header: object = {}, key = rsa) => {
  return signToken(key, { alg: key.alg, kid: key.jwk.kid, ...header }, claims(more));
};

async function outcome(sent: string, key: string | null = null): Promise<string> {
  const response = await callWithToken(gateway, sent, {}, { key });
  const { code } = (await response.json()) as { code?: string };
  expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
  if (response.status === 401) expect(response.headers.get('www-authenticate')).toContain('Bearer');
  return code ?? 'served';
}

test('valid tokens are accepted with aud as text or as a list, and with or without a type', async () => {
  expect(await outcome(token())).toBe('served');
  expect(await outcome(token({ aud: ['https://other.example.com', AUDIENCE] }))).toBe('served');
  expect(await outcome(token({}, {}, ec))).toBe('served');
  // A token without `kid` is accepted if only one key fits.
  expect(await outcome(token({}, { kid: undefined }, ec))).toBe('served');
  for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt']) {
    expect(await outcome(token({}, { typ }))).toBe('served');
  }
});

const createSignedToken = (header: object, payload: object = claims()) =>
  signToken(rsa, { alg: 'RS256', kid: 'rsa', ...header }, payload);
describe('a token is refused', () => {
  const invalid: Record<string, () => string> = {
    'with alg none': () => `${encode({ alg: 'none' })}.${encode(claims())}.`,
    'with alg NonE and any signature': () => `${encode({ alg: 'NonE' })}.${encode(claims())}.AAAA`,
    'with an HMAC of the public key': () => signWithHmac(JSON.stringify(rsa.jwk), { kid: 'rsa' }, claims()),
    'with an HMAC of the public key as PEM': () => {
      const pem = createPublicKey(rsa.privateKey).export({ type: 'spki', format: 'pem' });
      return signWithHmac(pem, { kid: 'rsa' }, claims());
    },
    'with an HMAC of an empty secret': () => signWithHmac('', { kid: 'rsa' }, claims()),
    'with crit': () => createSignedToken({ crit: ['b64'], b64: true }),
    'with an unknown extension in crit': () => createSignedToken({ crit: ['x'], x: 1 }),
    'with an empty crit': () => createSignedToken({ crit: [] }),
    'with a kid that is a path': () => token({}, { kid: '../../../../dev/null' }),
    'with a kid that is a URL': () => token({}, { kid: `${issuer.url}/jwks` }),
    'with a kid that is no text': () => token({}, { kid: 1 }),
    'with a kid in other letters': () => token({}, { kid: 'RSA' }),
    'with the key that it is signed with': () => token({}, { jwk: attacker.jwk }, attacker),
    'with a URL of keys': () => token({}, { jku: 'https://attacker.example.com/jwks' }, attacker),
    'with a URL of a certificate': () => token({}, { x5u: 'https://attacker.example.com/cert' }, attacker),
    'with a type of its own': () => token({}, { typ: 'logout+jwt' }),
    'with an ID token’s type': () => token({}, { typ: 'id+jwt' }),
    'with a type that is no text': () => token({}, { typ: ['JWT'] }),
    'signed with another key': () => token({}, {}, attacker),
    'signed with the key of another issuer that has the same kid': () => token({}, {}, others),
    'signed with an RSA key of 1,024 bits': () => token({}, {}, weak),
    'signed with a key for encryption': () => token({}, {}, forEncryption),
    'signed with a key whose operations do not allow it': () => token({}, {}, forSigning),
    'signed with a key for another algorithm': () => token({}, {}, forPss),
    'whose header names an algorithm of another type of key': () => token({}, { alg: 'ES256' }),
    'without kid, if several keys fit': () => signToken(rsa, { alg: 'RS256' }, claims()),
    'with claims that appear twice': () => {
      return signToken(
        rsa,
        { alg: 'RS256', kid: 'rsa' },
        `{"azp":"app",${JSON.stringify(claims({ azp: 'root' })).slice(1)}`,
      );
    },
    'with an issuer that appears twice': () => {
      return signToken(
        rsa,
        { alg: 'RS256', kid: 'rsa' },
        `{"iss":"${issuer.url}",${JSON.stringify(claims({ iss: 'x' })).slice(1)}`,
      );
    },
    'with an issuer that appears twice, once escaped': () => {
      return signToken(rsa, { alg: 'RS256', kid: 'rsa' }, `{"\\u0069ss":"x",${JSON.stringify(claims()).slice(1)}`);
    },
    'with a header that appears twice': () => {
      return signToken(rsa, `{"alg":"none","alg":"RS256","kid":"rsa"}`, claims());
    },
    'with deeply nested claims': () => {
      return signToken(
        rsa,
        { alg: 'RS256', kid: 'rsa' },
        `{"x":${'['.repeat(100)}${']'.repeat(100)},${JSON.stringify(claims()).slice(1)}`,
      );
    },
    'with bytes that are no UTF-8': () => {
      const text = Buffer.from(JSON.stringify(claims({ azp: '?' })));
      text[text.indexOf('?')] = 0xff;
      return `${encode({ alg: 'RS256', kid: 'rsa' })}.${text.toString('base64url')}.AAAA`;
    },
    'with padding': () => token() + '==',
    'whose signature is cut off': () => token().slice(0, -4),
    'without a signature': () => token().replace(/[^.]+$/, ''),
    'without exp': () => token({ exp: undefined }),
    'with exp as text': () => token({ exp: String(now() + 300) }),
    'with exp as null': () => token({ exp: null }),
    'with an infinite exp': () => {
      return signToken(
        rsa,
        { alg: 'RS256', kid: 'rsa' },
        JSON.stringify(claims({ exp: 1 })).replace('"exp":1', '"exp":1e999'),
      );
    },
    'with nbf in the future': () => token({ nbf: now() + 120 }),
    'with iat in the future': () => token({ iat: now() + 120 }),
    'with nbf as text': () => token({ nbf: '0' }),
    'without aud': () => token({ aud: undefined }),
    'with an empty aud': () => token({ aud: [] }),
    'with another aud': () => token({ aud: 'https://other.example.com' }),
    'with an aud that begins with the right one': () => token({ aud: `${AUDIENCE}/` }),
    'with an aud that is an object': () => token({ aud: { [AUDIENCE]: true } }),
    'with the right audience in another claim': () => token({ aud: undefined, client_id: AUDIENCE }),
    'that is an ID token': () => token({ at_hash: 'h' }),
    'that is an ID token of a code': () => token({ c_hash: 'h' }),
    'that says it is an ID token': () => token({ token_use: 'id' }),
    'that is a refresh token of Keycloak': () => token({ typ: 'Refresh' }),
    'that is a logout token': () => token({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    'that is bound to a key': () => token({ cnf: { jkt: 'x' } }),
    'that is bound to nothing': () => token({ cnf: null }),
    'that names no caller': () => token({ azp: undefined }),
    'whose caller is empty': () => token({ azp: '' }),
    'whose caller is too long': () => token({ azp: 'a'.repeat(121) }),
    'whose caller is no ASCII': () => token({ azp: 'ä' }),
    'whose caller has a line break': () => token({ azp: 'a\nb' }),
    'whose caller is a list': () => token({ azp: ['app'] }),
    'whose caller is null, though another claim would name it': () => token({ azp: null, client_id: 'app' }),
  };
  test.each(Object.keys(invalid))('%s', async (name) => {
    expect(await outcome(invalid[name]?.() ?? '')).toBe('token_invalid');
  });

  test('if it is larger than the limit', async () => {
    expect(await outcome(token({ x: 'x'.repeat(20_000) }))).toBe('token_invalid');
  });

  test('if Authorization is sent twice', async () => {
    const ask = async (...values: string[]) => {
      const lines = values.map((value) => `Authorization: ${value}\r\n`).join('');
      const connection = new RawConnection(gateway.url);
      connection.send(`GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`);
      return connection.closed();
    };
    const valid = `Bearer ${token()}`;
    expect(await ask(valid)).toContain('200 OK');
    expect(await ask(valid, valid)).toContain('key_ambiguous');
    expect(await ask(valid, `Bearer ${token({ azp: 'other' })}`)).toContain('key_ambiguous');
    expect(await ask(valid, `Bearer ${gateway.demoKey}`)).toContain('key_ambiguous');
    expect(await ask('Basic YTpi', valid)).toContain('key_ambiguous');
  });
});

test('an expired token is refused, and does not count as a failed attempt', async () => {
  expect(await outcome(token({ exp: now() - 50 }))).toBe('served');
  const remaining = async (sent: string) => {
    const response = await callWithToken(gateway, sent, { 'x-forwarded-for': '192.0.2.7' });
    const { code, message } = (await response.json()) as { code: string; message: string };
    return { code, message, remaining: response.headers.get('x-ratelimit-remaining') };
  };
  const expired = token({ exp: now() - 70 });
  const refused = { code: 'token_expired', message: 'The access token has expired.' };
  expect(await remaining(expired)).toEqual({ ...refused, remaining: '1000' });
  expect(await remaining(expired)).toEqual({ ...refused, remaining: '1000' });
  expect(await remaining(token({ aud: 'x' }))).toMatchObject({ code: 'token_invalid' });
  expect(await remaining(expired)).toEqual({ ...refused, remaining: '999' });
  // The gateway believes nothing in a token without a valid signature.
  expect((await remaining(token({ exp: now() - 70 }, {}, attacker))).code).toBe('token_invalid');
});

test('the refusal of a token says how to get a valid one, and never quotes the token', async () => {
  const sent = token({ aud: 'https://elsewhere.example.com' });
  const response = await callWithToken(gateway, sent, {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'api.example.com',
  });
  expect(response.headers.get('www-authenticate')).toBe(
    'Bearer error="invalid_token", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
  );
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({
    code: 'token_invalid',
    message: 'The access token is not for this API (aud).',
    status: 401,
  });
});

test('a token of an unconfigured issuer is forwarded to the service', async () => {
  const foreign = signToken(attacker, { alg: 'RS256' }, claims({ iss: 'https://elsewhere.example.com' }));
  expect(await outcome(foreign)).toBe('key_missing');
  for (const sent of [foreign, 'a.b.c', 'eyJ.eyJ.x', 'opaque', `${issuer.url}.b.c`]) {
    const response = await callWithToken(gateway, sent, {}, { key: gateway.demoKey });
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    expect(headers['authorization']).toBe(`Bearer ${sent}`);
  }
});
