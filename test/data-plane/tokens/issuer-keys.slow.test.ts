/**
 * The gateway gets the keys of an issuer that is unavailable, slow, or sends something other than keys. The test sets
 * the clock.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { PresentedToken, TokenVerifier } from '../../../src/data-plane/tokens/token-verifier.ts';
import { Tokens } from '../../../src/data-plane/tokens/open-tokens.ts';
import { tokensSchema } from '../../../src/config/token-settings.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { until } from '../../support/until.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AUDIENCE = 'https://api.example.com';
const first = createIssuerKey('ES256', 'first');
const second = createIssuerKey('ES256', 'second');

let issuer: TokenIssuerServer;
let tokens: Tokens;
let registry: Registry;
let now: number;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  issuer = await startTokenIssuer([first.jwk]);
  now = Date.now();
  lines = [];
  registry = new Registry();
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  tokens = new Tokens({ registry, clock: () => now, logger });
});
afterEach(() => {
  tokens.stop();
  issuer.stop();
});

async function use(more: object = {}): Promise<TokenVerifier> {
  const entry = { name: 'corp', issuer: issuer.url, audience: [AUDIENCE], ...more };
  const verifier = await tokens.verifierFor(tokensSchema.parse([entry]));
  if (verifier === null) throw new Error('no tokens are configured');
  tokens.use(verifier);
  return verifier;
}

const sign = (key = first, more: object = {}, kid: unknown = key.jwk.kid) => {
  const exp = Math.floor(now / 1000) + 100_000;
  return signToken(key, { alg: key.alg, kid }, { iss: issuer.url, aud: AUDIENCE, sub: 'app', exp, ...more });
};

/** @returns the code of the refusal; `remembered` or `verified` if the token is accepted */
async function verify(verifier: TokenVerifier, token: string, party = ''): Promise<string> {
  const presented = verifier.read(['Authorization', `Bearer ${token}`]) as PresentedToken;
  if (presented.remembered !== null) return 'remembered';
  const result = await verifier.verify(presented, party);
  return 'code' in result ? result.code : 'verified';
}

const asked = () => issuer.asked.filter((path) => path === '/jwks').length;
const reasons = () => lines.map(({ reason }) => reason);

test('a token is verified once, and then remembered for five minutes', async () => {
  const verifier = await use();
  const token = sign();
  expect(await verify(verifier, token)).toBe('verified');
  expect(await verify(verifier, token)).toBe('remembered');
  now += 5 * MINUTE_MS - 1;
  expect(await verify(verifier, token)).toBe('remembered');
  now += 1;
  expect(await verify(verifier, token)).toBe('verified');
  // The clock is set back, so the token is verified again.
  now -= HOUR_MS;
  expect(await verify(verifier, token)).toBe('verified');
});

test('a remembered token is refused as soon as it expires', async () => {
  const verifier = await use();
  const token = sign(first, { exp: Math.floor(now / 1000) + 30 });
  expect(await verify(verifier, token)).toBe('verified');
  now += 80_000;
  expect(await verify(verifier, token)).toBe('remembered');
  now += 20_000;
  expect(await verify(verifier, token)).toBe('token_expired');
});

test('a key that is withdrawn stops working within ten minutes, also for remembered tokens', async () => {
  const verifier = await use();
  const token = sign();
  await verify(verifier, token);
  issuer.keys = [second.jwk];
  now += 9 * MINUTE_MS;
  expect(await verify(verifier, token)).toBe('verified');
  expect(asked()).toBe(1);
  now += 50_000;
  await until(() => asked() === 2);
  await until(async () => (await verify(verifier, token)) === 'token_invalid');
  expect(await verify(verifier, sign(second))).toBe('verified');
});

test('a rotation refuses no call, because a token with a new key waits until the key is fetched', async () => {
  const verifier = await use();
  const token = sign();
  await verify(verifier, token);
  issuer.keys = [first.jwk, second.jwk];
  expect(await Promise.all(Array.from({ length: 50 }, () => verify(verifier, sign(second))))).toEqual(
    Array.from({ length: 50 }, () => 'verified'),
  );
  // The other key is still the same, so its tokens stay remembered.
  expect(await verify(verifier, token)).toBe('remembered');
  expect(asked()).toBe(2);
});

test('a key that the issuer publishes twice counts as one key', async () => {
  issuer.keys = [first.jwk, first.jwk, { ...first.jwk, use: undefined }];
  const verifier = await use();
  const token = sign();
  expect(await verify(verifier, token)).toBe('verified');
  now += 10 * MINUTE_MS;
  await until(() => asked() === 2);
  expect(await verify(verifier, token)).toBe('verified');
  expect(tokens.report()[0]?.keys.count).toBe(1);
});

test('unknown key ids make the gateway ask the issuer at most every 30 seconds', async () => {
  const verifier = await use();
  await verify(verifier, sign());
  for (let round = 0; round < 5; round++) {
    const junk = Array.from({ length: 1000 }, (_, index) => sign(second, {}, `unknown-${round}-${index}`));
    const codes = await Promise.all(junk.map((token, index) => verify(verifier, token, `party ${index % 20}`)));
    expect(new Set(codes)).toEqual(new Set(['token_invalid']));
    expect(asked()).toBe(2 + Math.floor(round / 3));
    now += 10_000;
  }
});

test('above a limit, waiting tokens of one party are refused, and other parties are not affected', async () => {
  const verifier = await use();
  await verify(verifier, sign());
  let respond: () => void = () => undefined;
  issuer.instead = (_, res) => void (respond = () => res.writeHead(503).end());
  const waiting = Array.from({ length: 101 }, (_, index) =>
    verify(verifier, sign(second, {}, `unknown-${index}`), 'a'),
  );
  const refused = expect(verify(verifier, sign(second, {}, 'unknown'), 'a')).rejects.toThrow('too many lookups');
  const other = verify(verifier, sign(second, {}, 'unknown'), 'b');
  await refused;
  // Tokens with a known key do not wait.
  expect(await verify(verifier, sign(), 'a')).toBe('verified');
  await until(() => issuer.asked.length === 3);
  respond();
  await until(() => issuer.asked.length === 4);
  respond();
  expect(new Set(await Promise.all([...waiting, other]))).toEqual(new Set(['token_invalid']));
});

test('the keys of an unavailable issuer are used for 24 hours', async () => {
  const verifier = await use();
  await verify(verifier, sign());
  issuer.instead = (_, res) => res.destroy();
  now += 10 * MINUTE_MS;
  await until(() => lines.length === 1);
  now += 23 * HOUR_MS;
  const token = sign();
  expect(await verify(verifier, token)).toBe('verified');
  now += HOUR_MS;
  expect(await verify(verifier, token)).toBe('token_keys_unavailable');
  now -= 2 * MINUTE_MS;
  // The warning is logged once for the whole outage of the issuer.
  expect(lines.map(({ msg }) => msg)).toEqual(['could not fetch the keys of the issuer of tokens']);
  issuer.instead = null;
  now += HOUR_MS;
  await until(() => lines.length === 2);
  expect(lines[1]?.['msg']).toBe('fetched the keys of the issuer of tokens again');
  expect(await verify(verifier, sign())).toBe('verified');
});

test('an issuer that is unavailable at the start delays nothing, and its tokens are accepted once it responds', async () => {
  issuer.instead = (_, res) => res.writeHead(503).end();
  const verifier = await use();
  expect(await verify(verifier, sign())).toBe('token_keys_unavailable');
  issuer.instead = null;
  now += 5000;
  await until(async () => (await verify(verifier, sign())) === 'verified');
});

test('a reload keeps the keys, but forgets tokens that were verified under other settings', async () => {
  const verifier = await use();
  const token = sign();
  await verify(verifier, token);
  issuer.instead = (_, res) => res.destroy();
  expect(await use()).toBe(verifier);
  const next = await use({ audience: ['https://other.example.com'] });
  expect(await verify(next, token)).toBe('token_invalid');
  const again = await use();
  expect(await verify(again, token)).toBe('verified');
  expect(asked()).toBe(1);
});

interface Instead {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

test.each<[string, Instead, RegExp]>([
  ['garbage', { body: '<html>' }, /is not a JSON object/],
  ['a list', { body: '[]' }, /is not a JSON object/],
  ['no keys', { body: '{}' }, /has no list of keys/],
  ['10 MB', { body: JSON.stringify({ keys: ['x'.repeat(10_000_000)] }) }, /sent more than 1 MB/],
  ['101 keys', { body: JSON.stringify({ keys: Array.from({ length: 101 }, () => first.jwk) }) }, /more than 100 keys/],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, /responded with status 302/],
  ['an error', { status: 500 }, /responded with status 500/],
])(
  'the previous keys stay in use if the issuer sends %s instead of its keys',
  async (_, { status = 200, headers = {}, body = '' }, reason) => {
    const verifier = await use({ jwksUri: `${issuer.url}/jwks` });
    await verify(verifier, sign());
    issuer.instead = (req, res) => {
      if (req.url === '/elsewhere') throw new Error('followed a redirect');
      res
        .on('error', () => undefined)
        .writeHead(status, headers)
        .end(body);
    };
    now += 10 * MINUTE_MS;
    await until(() => lines.length === 1);
    expect(reasons()).toEqual([expect.stringMatching(reason)]);
    expect(await verify(verifier, sign())).toBe('verified');
  },
);

test('a request to an issuer that does not respond ends after five seconds', async () => {
  issuer.instead = () => undefined;
  const verifier = await use();
  expect(await verify(verifier, sign())).toBe('token_keys_unavailable');
  expect(reasons()).toEqual([expect.stringContaining('did not respond within 5 seconds')]);
});

test('metadata that names another issuer, or keys at another host without https, is not used', async () => {
  issuer.instead = (_, res) =>
    res.end(JSON.stringify({ issuer: 'https://attacker.example.com', jwks_uri: `${issuer.url}/jwks` }));
  const verifier = await use();
  expect(await verify(verifier, sign())).toBe('token_keys_unavailable');
  issuer.instead = (_, res) => res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: 'http://192.0.2.1/jwks' }));
  now += 5000;
  await until(() => issuer.asked.length === 4);
  expect(reasons()).toEqual([
    expect.stringContaining('is the metadata of another issuer, https://attacker.example.com'),
  ]);
  // A long address is not used, because it would be logged in full.
  const long = `${issuer.url}/jwks?${'a'.repeat(900_000)}`;
  issuer.instead = (_, res) => res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: long }));
  now += 5000;
  await until(() => issuer.asked.length === 6);
  expect(asked()).toBe(0);
});

test('the metadata may be at the path of OAuth instead of that of OpenID Connect', async () => {
  issuer.stop();
  issuer = await startTokenIssuer([first.jwk], '/.well-known/oauth-authorization-server');
  expect(await verify(await use(), sign())).toBe('verified');
});

test('metrics count the verifications and show the age of the keys', async () => {
  const verifier = await use();
  const before = await registry.metrics();
  expect(before).not.toContain('tollgate_token_keys_age_seconds{');
  expect(before).toContain('tollgate_token_keys_usable{token="corp"} 0\n');
  const token = sign();
  await verify(verifier, token);
  verifier.recall(verifier.read(['Authorization', `Bearer ${token}`]) as PresentedToken, {} as never);
  await verify(verifier, sign(second));
  await verify(verifier, sign(first, { exp: 1 }));
  now += 1500;
  const text = await registry.metrics();
  for (const outcome of ['remembered', 'verified', 'token_invalid', 'token_expired']) {
    expect(text).toContain(`tollgate_token_verifications_total{token="corp",outcome="${outcome}"} 1`);
  }
  expect(text).toMatch(/tollgate_token_keys_age_seconds\{token="corp"\} 1\.5/);
  expect(text).toContain('tollgate_token_keys_usable{token="corp"} 1\n');
  issuer.instead = (_, res) => void res.writeHead(503).end();
  now += 24 * HOUR_MS;
  expect(await registry.metrics()).toContain('tollgate_token_keys_usable{token="corp"} 0\n');
});
