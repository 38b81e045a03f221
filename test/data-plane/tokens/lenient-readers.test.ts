/**
 * A service may trust the gateway, and read the claims of a token without verifying it. Some programs read more leniently
 * than the gateway: they accept claims that are not quite JSON, ignore the case of names, take the second word of
 * `Authorization`, or find `Bearer` at any place. Such a header used to be passed on unchecked with a key, or to a public
 * operation, so that anyone could write the claims.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tokensSchema } from '../../../src/config/token-settings.ts';
import { checkClaims } from '../../../src/data-plane/tokens/check-claims.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  encode,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';

const API = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  gateway = await startTokenGateway([{ name: 'corp', issuer: issuer.url, audience: [API] }]);
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

const claims = (more: object = {}) => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  return JSON.stringify({ iss: issuer.url, aud: API, sub: 'admin', exp, ...more });
};

/** Creates a token that has any text as its claims, and an invalid signature. */
const forge = (text: string) => [encode({ alg: 'ES256', kid: 'one' }), encode(text), 'A'.repeat(86)].join('.');

/** @returns the code of the refusal with a key, and of a public operation without one; undefined if there is none */
async function call(token: string, headers: Record<string, string> = {}): Promise<unknown[]> {
  const responses = [
    await callWithToken(gateway, token, headers, { key: gateway.demoKey }),
    await callWithToken(gateway, token, headers, { path: '/echo/public' }),
  ];
  return Promise.all(responses.map(async (each) => ((await each.json()) as { code?: string }).code));
}

const REFUSED = ['token_invalid', 'token_invalid'];
const PASSED_ON = [undefined, undefined];

test.each<[string, (text: string) => string]>([
  ['a byte order mark', (text) => `\ufeff${text}`],
  ['NaN', (text) => text.replace('{', '{"x":NaN,')],
  ['a comment', (text) => text.replace('{', '{/* */')],
  ['escapes and a comment', (text) => text.replace('{"iss', '{/* */"\\u0069\\u0073\\u0073')],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['text at the end', (text) => `${text}}`],
  ['a control character at the beginning', (text) => `\0${text}`],
  ['claims that never end', (text) => text.replace(/}$/, `,"a":${'['.repeat(6000)}`)],
  ['an issuer in capitals', (text) => text.replace('"iss"', '"ISS"')],
  ['an issuer with a long s', (text) => text.replace('"iss"', '"is\u017f"')],
  ['another issuer beside one in capitals', (text) => text.replace('"iss"', '"iss":"https://other.example.com","Iss"')],
])('a token with %s is refused, with a key and without', async (_, change) => {
  expect(await call(forge(change(claims())))).toEqual(REFUSED);
});

test.each([
  ['a second word', (token: string) => `${token} x`],
  ['a comma', (token: string) => `${token}, x`],
  ['a fourth part', (token: string) => `${token}.x`],
  ['the scheme twice', (token: string) => `Bearer ${token}`],
  ['quotes', (token: string) => `"${token}"`],
  ['hundreds of parts before it', (token: string) => `${'AAAAAAAAAAAA.'.repeat(900)}${token}`],
  ['no header', (token: string) => token.slice(token.indexOf('.'))],
])('a token of the issuer with %s is refused, even if its signature is valid', async (_, change) => {
  expect(await call(change(forge(claims())))).toEqual(REFUSED);
  const valid = signToken(key, { alg: 'ES256', kid: 'one' }, JSON.parse(claims()));
  expect(await call(change(valid))).toEqual(REFUSED);
});

test.each([
  ['a no-break space after the scheme', (token: string) => `Bearer\xa0${token}`],
  ['a no-break space before the scheme', (token: string) => `\xa0Bearer ${token}`],
  ['a next line after the scheme', (token: string) => `Bearer\x85${token}`],
  ['an equals sign after the scheme', (token: string) => `Bearer=${token}`],
  ['no space after the scheme', (token: string) => `Bearer${token}`],
  ['a comma after the scheme', (token: string) => `Bearer,${token}`],
  ['the scheme after another one', (token: string) => `Basic eDp5, Bearer ${token}`],
  ['the scheme in lower case after a parameter', (token: string) => `DPoP x=1 bearer ${token}`],
  ['another token before it', (token: string) => `Bearer x.${encode({ iss: 'https://other.example.com' })}.x ${token}`],
])('an Authorization header with %s is refused, even if the token is valid', async (_, write) => {
  const valid = signToken(key, { alg: 'ES256', kid: 'one' }, JSON.parse(claims()));
  for (const token of [valid, forge(claims())]) {
    const authorization = write(token);
    expect(await call('', { authorization })).toEqual(REFUSED);
  }
});

test.each([
  ['of another issuer', () => forge(claims({ iss: 'https://other.example.com' }))],
  ['with a list as claims', () => forge('[1]')],
  ['that is opaque', () => 'v1.local.opaque'],
  ['that only looks like one', () => 'eyJ.eyJ.x'],
  ['that is encrypted', () => [encode({ alg: 'dir', enc: 'A256GCM' }), '', 'aXY', 'Y2lwaGVy', 'dGFn'].join('.')],
])('a token %s is forwarded to the service', async (_, token) => {
  expect(await call(token())).toEqual(PASSED_ON);
});

test.each(['a\0b', 'p\ud800', 'pro\n', '', 'x'.repeat(65), 7, null, ['pro']])(
  'a plan claim that cannot be the id of a plan is ignored: %j',
  (plan) => {
    // PostgreSQL refuses to search for NUL, so a caller with such a claim once got 500.
    const [config] = tokensSchema.parse([{ name: 'corp', issuer: issuer.url, audience: [API], planClaim: 'plan' }]);
    const read = (given: unknown) =>
      checkClaims(JSON.parse(claims({ plan: given })) as Record<string, unknown>, config!, Date.now());
    expect(read(plan)).toMatchObject({ caller: { value: 'admin', planFromClaim: null } });
    expect(read('pro')).toMatchObject({ caller: { planFromClaim: 'pro' } });
  },
);
