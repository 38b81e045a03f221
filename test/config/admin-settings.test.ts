import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { petstore, testConfig } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const url = 'https://tollgate.example.com/gateway';
const oidc = {
  issuer: 'https://login.example.com',
  clientId: 'tollgate',
  clientSecret: '${CLIENT_SECRET}',
  admins: ['platform'],
};

function load(admin: unknown) {
  return testConfig(folder.path, {
    settings: { admin, upstreams: [petstore] },
    env: { CLIENT_SECRET: 'the-secret-of-the-client' },
  });
}

function findFaults(admin: unknown): string {
  try {
    load(admin);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.join('\n');
    throw error;
  }
  return '';
}

test('OpenID Connect settings with a client secret from the environment are accepted', () => {
  expect(load({ url, oidc }).fixed.admin).toMatchObject({
    url,
    oidc: { ...oidc, clientSecret: 'the-secret-of-the-client', claim: 'groups', viewers: [] },
  });
  expect(load({}).fixed.admin).toEqual({ maxConnections: 2000, maxConnectionsPerAddress: 1000 });
});

test.each([
  ['an invalid URL', { url: 'tollgate' }, /admin\.url must be an https:\/\/ URL/],
  // Signing in over plain HTTP is refused, so links to this URL would not work.
  ['plain HTTP', { url: 'http://tollgate.example.com' }, /admin\.url must be an https:\/\/ URL/],
  ['a URL with a query', { url: `${url}?a=b` }, /admin\.url must be .* without query/],
  ['a URL with a password', { url: 'https://a:b@example.com' }, /admin\.url must be .* or user/],
  ['oidc without url', { oidc }, /admin\.url is missing: with oidc, the provider redirects users back to it/],
  [
    'a provider over plain HTTP',
    { url, oidc: { ...oidc, issuer: 'http://login.example.com' } },
    /oidc\.issuer must be/,
  ],
  ['neither admins nor viewers', { url, oidc: { ...oidc, admins: [] } }, /oidc\.admins must not be empty/],
  ['a missing secret', { url, oidc: { ...oidc, clientSecret: undefined } }, /oidc\.clientSecret is missing/],
  ['an unknown setting', { url, oidc: { ...oidc, scope: 'a' } }, /oidc\.scope is not a known setting/],
  [
    'a secret in the file',
    { url, oidc: { ...oidc, clientSecret: 'in-the-file' } },
    /clientSecret must be \$\{NAME\}, an environment variable/,
  ],
])('in the admin settings, %s is rejected', (_, admin, message) => {
  const faults = findFaults(admin);
  expect(faults).toMatch(message);
  expect(faults).not.toContain('in-the-file');
  expect(faults.split('\n')).toHaveLength(1);
});

test('a provider and a console on a loopback address may use plain HTTP', () => {
  const local = { url: 'http://localhost:8081', oidc: { ...oidc, issuer: 'http://127.0.0.1:9000' } };
  expect(load(local).fixed.admin.url).toBe('http://localhost:8081');
});
