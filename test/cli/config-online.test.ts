/** `config check --online` prints what it finds at each token issuer, and what is wrong there. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommand } from '../support/gateway/cli.ts';
import { root } from '../support/gateway/gateway.ts';
import { tokenSettings } from '../support/gateway/token-gateway.ts';
import { TestAuthority } from '../support/servers/certificates.ts';
import { createIssuerKey, startTokenIssuer, type TokenIssuerServer } from '../support/servers/token-issuer.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { unusedUrl } from '../support/services/unused-url.ts';

const rsa = createIssuerKey('RS256', 'rsa-1');

let issuer: TokenIssuerServer;
beforeEach(async () => {
  issuer = await startTokenIssuer([rsa.jwk]);
});
afterEach(() => issuer.stop());

function writeConfig(tokens: readonly object[]): string {
  const file = join(temporaryDirectory(), 'gateway.yaml');
  writeFileSync(file, JSON.stringify({ plans: join(root, 'config/plans.yaml'), ...tokenSettings(tokens) }));
  return file;
}

async function check(...entries: object[]) {
  const tokens = entries.map((each) => ({ name: 'corp', issuer: issuer.url, audience: ['api'], ...each }));
  const env = { TOLLGATE_CONFIG: writeConfig(tokens) };
  const { code, out, err } = await runCommand(['config', 'check', '--online'], { env });
  const lines = out.split('\n').filter((line) => line.startsWith('tokens.'));
  return { code, out, err, lines: lines.map((line) => line.replace(/ in \d+ ms$/, ' in TIME')) };
}

test('the URL of the metadata is printed, with the keys and the algorithms for which they can be used', async () => {
  const ec = createIssuerKey('ES256', 'ec-1', { alg: undefined });
  issuer.keys = [rsa.jwk, ec.jwk];
  const { code, out, err, lines } = await check({});
  expect([code, err]).toEqual([0, '']);
  expect(lines).toEqual([
    `tokens.corp: issuer ${issuer.url}, metadata at ${issuer.url}/.well-known/openid-configuration, 2 keys at ${issuer.url}/jwks, in TIME`,
    'tokens.corp: key "rsa-1", kty "RSA", alg "RS256" (2048 bits) verifies RS256',
    'tokens.corp: key "ec-1", kty "EC" (prime256v1) verifies ES256',
    'tokens.corp: accepts RS256, ES256; no key verifies PS256, EdDSA',
  ]);
  expect(out).toMatch(/ is valid\.\n$/);
});

test('OAuth metadata is found as well, and an issuer with jwksUri needs no metadata', async () => {
  issuer.stop();
  issuer = await startTokenIssuer([rsa.jwk], '/.well-known/oauth-authorization-server');
  expect((await check({})).lines[0]).toContain(`metadata at ${issuer.url}/.well-known/oauth-authorization-server,`);
  const { lines } = await check({ jwksUri: `${issuer.url}/jwks` });
  expect(lines[0]).toContain(`no metadata (jwksUri is set), 1 key at ${issuer.url}/jwks`);
});

test('for each key that cannot be used, the reason is printed', async () => {
  const weak = createIssuerKey('RS256', 'weak', {}, 1024);
  const { privateKey } = generateKeyPairSync('ed25519');
  issuer.keys = [
    rsa.jwk,
    weak.jwk,
    { ...rsa.jwk, kid: 'enc', use: 'enc' },
    { ...rsa.jwk, kid: 'wrap', key_ops: ['wrapKey'] },
    { ...privateKey.export({ format: 'jwk' }), kid: 'private' },
    { ...rsa.jwk, kid: 7 },
    { ...rsa.jwk, kid: 'alg', alg: 'RSA-OAEP' },
    { kty: 'oct', kid: 'secret', k: 'c2VjcmV0' },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'point' },
    createIssuerKey('ES384', 'other').jwk,
    'text\u001b[31m' as never,
  ];
  const { code, lines, out } = await check({});
  expect(code).toBe(0);
  expect(lines.slice(1)).toEqual([
    'tokens.corp: key "rsa-1", kty "RSA", alg "RS256" (2048 bits) verifies RS256',
    'tokens.corp: key "weak", kty "RSA", alg "RS256" is not used: it has 1024 bits: an RSA key needs 2048',
    'tokens.corp: key "enc", kty "RSA", alg "RS256" is not used: it is not for signatures (use)',
    'tokens.corp: key "wrap", kty "RSA", alg "RS256" is not used: it is not for the verification of signatures (key_ops)',
    'tokens.corp: key "private", kty "OKP" is not used: it contains its private key, which the issuer should withdraw at once',
    'tokens.corp: key 7, kty "RSA", alg "RS256" is not used: it has an id (kid) that is not text',
    'tokens.corp: key "alg", kty "RSA", alg "RSA-OAEP" is not used: it has an algorithm (alg) or a curve (crv) that is not supported',
    'tokens.corp: key "secret", kty "oct" is not used: it is of a type (kty) that is not supported',
    'tokens.corp: key "point", kty "EC" is not used: it has parameters (crv, x, y) that make up no key',
    'tokens.corp: key "other", kty "EC", alg "ES384" (secp384r1) verifies ES384, but algorithms has none of them',
    'tokens.corp: key without kid is not used: it is not a JSON object',
    'tokens.corp: accepts RS256; no key verifies PS256, ES256, EdDSA',
  ]);
  expect(out).not.toContain('\u001b');
});

test('keys that share a kid and an algorithm are reported, because their tokens are refused', async () => {
  issuer.keys = [rsa.jwk, createIssuerKey('RS256', 'rsa-1').jwk];
  const { lines } = await check({});
  expect(lines).toContain('tokens.corp: problem: 2 keys have the kid "rsa-1", so tokens that name it are refused');
});

describe('a problem is printed, and the command fails', () => {
  const respond = (status: number, body: string, headers: Record<string, string> = {}): RequestListener => {
    return (_, res) =>
      void res
        .on('error', () => undefined)
        .writeHead(status, headers)
        .end(body);
  };
  const metadata = (more: object): RequestListener => respond(200, JSON.stringify(more));

  test.each<[string, RequestListener, string]>([
    ['an error', respond(500, ''), 'responded with status 500'],
    ['a redirect', respond(302, '', { location: '/' }), 'responded with status 302, and redirects are not followed'],
    ['no JSON', respond(200, '<html>'), 'is not a JSON object'],
    ['too much', respond(200, ' '.repeat(1_100_000)), 'sent more than 1 MB'],
    [
      'another issuer',
      metadata({ issuer: 'https://login.example.com/' }),
      'is the metadata of another issuer, https://login.example.com/',
    ],
    ['an issuer that is no text', metadata({ issuer: { '\u001b': 1 } }), 'is the metadata of another issuer'],
  ])('when the metadata is %s', async (_, instead, problem) => {
    issuer.instead = instead;
    const { code, err, lines, out } = await check({});
    expect([code, err]).toEqual([1, 'tollgate: the tokens of 1 issuer cannot be verified\n']);
    expect(lines).toEqual([expect.stringMatching(/^tokens\.corp: problem: /)]);
    expect(lines[0]).toContain(`/.well-known/openid-configuration ${problem}`);
    expect(lines[0]).toContain(`/.well-known/oauth-authorization-server ${problem}`);
    expect(out).not.toContain('is valid');
  });

  test('when no key serves an algorithm', async () => {
    const { code, lines } = await check({ algorithms: ['ES256', 'EdDSA'] });
    expect([code, lines.at(-1)]).toEqual([1, 'tokens.corp: problem: no key verifies ES256, EdDSA']);
    issuer.keys = [];
    expect((await check({})).lines.at(-1)).toBe('tokens.corp: problem: no key verifies RS256, PS256, ES256, EdDSA');
  });

  test('when the issuer does not respond in time, cannot be reached, or has a name that does not resolve', async () => {
    issuer.instead = () => undefined;
    const away = { name: 'away', issuer: await unusedUrl() };
    const { code, err, lines } = await check({}, away, { name: 'nowhere', issuer: 'https://issuer.invalid' });
    expect([code, err]).toEqual([1, 'tollgate: the tokens of 3 issuers cannot be verified\n']);
    expect(lines[0]).toContain('did not respond within 5 seconds');
    expect(lines[1]).toMatch(
      /^tokens\.away: problem: .*could not be read \(ECONNREFUSED\).* \(nothing listens there\)$/,
    );
    expect(lines[2]).toMatch(/^tokens\.nowhere: problem: https:\/\/issuer\.invalid/);
  });

  test('when the certificate of the issuer is not trusted, and the problem names the setting to change', async () => {
    const files = new TestAuthority(temporaryDirectory()).issue('issuer');
    const server = createServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, lines } = await check({ issuer: `https://localhost:${port}` });
    server.close();
    expect([code, lines]).toEqual([1, [expect.stringMatching(/set NODE_EXTRA_CA_CERTS to trust/)]]);
  });
});

test('without --online, no request is sent to an issuer', async () => {
  const env = { TOLLGATE_CONFIG: writeConfig([{ name: 'corp', issuer: issuer.url, audience: ['api'] }]) };
  const { code } = await runCommand(['config', 'check'], { env });
  expect([code, issuer.asked]).toEqual([0, []]);
});

test('the command reports that no issuers are configured', async () => {
  const { code, out } = await runCommand(['config', 'check', '--online'], {
    env: { TOLLGATE_CONFIG: writeConfig([]) },
  });
  expect([code, out]).toEqual([0, expect.stringContaining('No issuers of tokens are configured.\n')]);
});
