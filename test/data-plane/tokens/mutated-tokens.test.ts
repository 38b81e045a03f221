/**
 * Tokens with random changes in their parts, some of them signed again, and changed `Authorization` headers. A token is
 * accepted only if its issuer signed it, and no token makes the gateway fail. The seed is fixed, so that a failure is
 * caused by a change of the code.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fetchKeys, KeysUnavailable } from '../../../src/data-plane/tokens/fetch-keys.ts';
import { startTokenGateway } from '../../support/gateway/token-gateway.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import {
  createIssuerKey,
  encode,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'k1');
let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE], plan: 'free' }];
  gateway = await startTokenGateway(tokens, { more: { guard: { failedAttempts: 1_000_000 } } });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

const HEADER = { alg: 'ES256', kid: 'k1', typ: 'at+jwt' };
const now = Math.floor(Date.now() / 1000);
const createClaims = () => ({
  iss: issuer.url,
  aud: AUDIENCE,
  azp: 'app',
  sub: 's',
  jti: 'j',
  iat: now,
  exp: now + 86_400,
});

/** Replaces some characters at a place, given as a fraction of the text, with others. */
type Edit = readonly [place: number, removed: number, added: string];
const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.nat(999).map((place) => place / 1000),
  fc.nat(3),
  fc.oneof(
    fc.constantFrom(
      '"',
      '{',
      '}',
      '[',
      ',',
      ':',
      '0',
      '-',
      'null',
      '1e999',
      '\\u0000',
      '.',
      '=',
      '/',
      '"alg":"none",',
      '{}',
    ),
    fc.string({ maxLength: 3 }).map((text) => text.replace(/[^\x20-\x7e]/g, '~')),
  ),
);
const edits = fc.array(edit, { maxLength: 2 });
const apply = (text: string, changes: readonly Edit[]) => {
  return changes.reduce((from, [place, removed, added]) => {
    const at = Math.floor(place * from.length);
    return from.slice(0, at) + added + from.slice(at + removed);
  }, text);
};

const scripts = fc.record({
  header: edits,
  claims: edits,
  isSignedAgain: fc.boolean(),
  token: edits,
  scheme: fc.constantFrom('Bearer ', 'bearer ', 'BEARER  ', 'Bearer', 'Bearer\t', 'Basic ', 'Bearer Bearer ', ''),
});

test('a changed token is accepted only if its issuer signed it, and never causes an error', async () => {
  const claims = createClaims();
  const valid = signToken(key, HEADER, claims);
  expect((await gateway.call('/echo', { key: null, headers: { authorization: `Bearer ${valid}` } })).status).toBe(200);
  const seen = new Set<number>();
  const property = fc.asyncProperty(scripts, async (script) => {
    const header = apply(JSON.stringify(HEADER), script.header);
    const payload = apply(JSON.stringify(claims), script.claims);
    const whole = script.isSignedAgain
      ? signToken(key, header, payload)
      : [encode(header), encode(payload), valid.split('.')[2]].join('.');
    const token = apply(whole, script.token);
    const authorization = script.scheme + token;
    const { status } = await gateway.call('/echo', { key: null, headers: { authorization } });
    seen.add(status);
    expect([200, 400, 401, 403]).toContain(status);
    if (status !== 200) return;
    // The bytes that are accepted are those that were signed.
    const decode = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    const signed = script.isSignedAgain ? whole : valid;
    expect(decode(token.trim()).slice(0, 2)).toEqual(decode(signed).slice(0, 2));
    expect(JSON.parse(payload)).toMatchObject({ iss: issuer.url });
  });
  await fc.assert(property, { seed: 1, numRuns: 400 });
  // The random changes led to accepted and to refused tokens.
  expect(seen).toContain(200);
  expect(seen).toContain(401);
  expect(gateway.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});

test('a corrupted set of keys is either read or reported as unavailable', async () => {
  const text = JSON.stringify({ keys: [key.jwk, createIssuerKey('EdDSA', 'k2').jwk] });
  const location = { issuer: issuer.url, jwksUri: `${issuer.url}/keys` };
  const results = new Set<string>();
  const property = fc.asyncProperty(edits, async (changes) => {
    issuer.instead = (_req, res) => res.setHeader('Content-Type', 'application/json').end(apply(text, changes));
    const result = await fetchKeys(location, new AbortController().signal).catch((error: unknown) => error);
    if (!Array.isArray(result)) expect(result).toBeInstanceOf(KeysUnavailable);
    results.add(Array.isArray(result) ? `${result.length} keys` : 'unavailable');
  });
  await fc.assert(property, { seed: 1, numRuns: 200 });
  expect([...results]).toEqual(expect.arrayContaining(['1 keys', '2 keys', 'unavailable']));
});
