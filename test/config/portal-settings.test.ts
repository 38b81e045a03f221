import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { petstore, testConfig } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const url = 'https://developers.example.com';
const oidc = { issuer: 'https://login.example.com', clientId: 'portal', clientSecret: '${CLIENT_SECRET}' };

function load(portal: unknown) {
  const settings = { portal, upstreams: [petstore] };
  const { fixed, live } = testConfig(folder.path, { settings, env: { CLIENT_SECRET: 'the-secret-of-the-client' } });
  return { ...fixed.portal, ...live.portal };
}

test('the portal is disabled by default, and the path of its logo is relative to the configuration file', () => {
  expect(load({}).enabled).toBe(false);
  expect(load({ enabled: true, logo: 'logo.svg' })).toMatchObject({
    enabled: true,
    signUp: 'invite',
    maxKeys: 5,
    logo: join(folder.path, 'logo.svg'),
  });
  expect(load({ url, oidc, signUp: 'open' }).oidc?.clientSecret).toBe('the-secret-of-the-client');
});

test.each([
  ['an invalid URL', { url: 'developers' }, /portal\.url must be an https:\/\/ URL/],
  // Every consumer sees this URL, so it must not contain a password.
  [
    'a password in the API address',
    { apiUrl: 'https://user:secret@api.example.com' },
    /portal\.apiUrl must be an http.* user/,
  ],
  ['an invalid API address', { apiUrl: 'api.example.com' }, /portal\.apiUrl must be an http/],
  ['oidc without url', { oidc }, /portal\.url is missing: with oidc, the provider redirects users back to it/],
  ['open sign-up without oidc', { signUp: 'open' }, /portal\.signUp must be invite or request without oidc/],
  [
    'requests without a public portal',
    { signUp: 'request' },
    /portal\.signUp must not be request unless public is true/,
  ],
  ['a contact that is not a link', { contact: 'javascript:alert(1)' }, /portal\.contact must be an http/],
  ['an invalid color', { accent: 'green' }, /portal\.accent must be a color such as "#0a7d4f"/],
  ['zero keys', { maxKeys: 0 }, /portal\.maxKeys must be at least 1/],
  ['an unknown setting', { color: '#000000' }, /portal\.color is not a known setting/],
  [
    'a secret in the file',
    { url, oidc: { ...oidc, clientSecret: 'in-the-file' } },
    /portal\.oidc\.clientSecret must be \$\{NAME\}/,
  ],
])('in the portal settings, %s is rejected', (_, portal, message) => {
  let faults: readonly string[] = [];
  try {
    load(portal);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    ({ faults } = error);
  }
  expect(faults).toEqual([expect.stringMatching(message)]);
  expect(faults.join()).not.toContain('in-the-file');
});
