import { expect, test } from '@jest/globals';
import { toIdentity } from '../../../../src/control-plane/admin/access/operator-roles.ts';
import { readClaimValues, SignInFailed } from '../../../../src/control-plane/sign-in/oidc-sign-in.ts';

const settings = { claim: 'groups', issuer: 'https://login.example.com', admins: ['platform'], viewers: ['support'] };

test.each([
  [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
  // Some providers use URLs as names of claims, so the name must not be split at dots.
  [{ 'https://example.com/roles': ['a'] }, 'https://example.com/roles', ['a']],
  [{ groups: [1, null, { a: 1 }, 'a'] }, 'groups', ['a']],
  [{ groups: { platform: true } }, 'groups', []],
  [{}, 'groups', []],
  [{}, 'constructor.name', []],
  [{ email: 'a@b.c', email_verified: true }, 'email', ['a@b.c']],
  [{ email: 'a@b.c', email_verified: 'true' }, 'email', ['a@b.c']],
  [{ email: 'a@b.c', email_verified: 'false' }, 'email', []],
  [{ email: 'a@b.c' }, 'email', []],
])('in the claims %j, the claim %s has the values %j', (claims, claim, values) => {
  expect(readClaimValues(claims, claim)).toEqual(values);
});

test('only the claim values that grant a role are stored', () => {
  const claims = { sub: 'u-1', groups: ['all', 'support', 'secret project'] };
  expect(toIdentity(claims, settings)).toEqual({
    method: 'oidc',
    name: 'oidc:u-1',
    issuer: settings.issuer,
    claims: ['support'],
  });
  expect(() => toIdentity({ sub: 'u-1', groups: ['all'] }, settings)).toThrow(SignInFailed);
});

// The name is stored in the audit log, so it must not imitate another name.
test.each([
  [{ sub: 'u-1', email: 'alice@example.com', email_verified: true }, 'oidc:alice@example.com'],
  [{ sub: 'u-1', email: 'alice@example.com' }, 'oidc:u-1'],
  [{ sub: 'u-1', email: 'al\u202eice@example.com', email_verified: true }, 'oidc:u-1'],
  [{ sub: 'u-1', email: { a: 1 }, email_verified: true }, 'oidc:u-1'],
  [{ sub: 'admin' }, 'oidc:admin'],
  [{ sub: 'a b' }, /^oidc:[\w-]{43}$/],
  [{ sub: 'a'.repeat(121) }, /^oidc:[\w-]{43}$/],
  [{ sub: '~'.repeat(255) }, /^oidc:[\w-]{43}$/],
])('a person with the claims %j is named %s in the audit log', (claims, name) => {
  expect(toIdentity({ ...claims, groups: ['platform'] }, settings).name).toEqual(
    typeof name === 'string' ? name : expect.stringMatching(name),
  );
});

// An invalid subject does not identify anyone (OpenID Connect Core 1.0, section 2).
test.each([[''], ['a'.repeat(256)], ['zoë'], ['a\nb'], ['a\u202eb'], ['\ud800'], [1], [null], [undefined], [['a']]])(
  'the subject %j is rejected, even with a verified address',
  (sub) => {
    const claims = { sub, groups: ['platform'] };
    expect(() => toIdentity(claims, settings)).toThrow(/the subject \(sub\) is not 1 to 255 printable ASCII/);
    const verified = { ...claims, email: 'alice@example.com', email_verified: true };
    expect(() => toIdentity(verified, settings)).toThrow(SignInFailed);
  },
);
