import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { petstore, temporaryFolder, testConfig } from '../support/gateway/gateway.ts';
import { rmSync } from 'node:fs';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = {
  ALICE: 'the-long-and-secret-token-of-alice',
  BOARD: 'the-long-and-secret-token-of-the-board',
  SPACED: 'two words, of more than 32 characters',
  SHORT: 'secret-of-alice',
  LITERAL: '${ALICE_TOKEN_THAT_NOTHING_REPLACED}',
  EMPTY: '',
};
const alice = { name: 'alice', role: 'admin', token: '${ALICE}' };

function load(adminTokens: unknown, more: Record<string, string> = {}) {
  return testConfig(folder, { settings: { adminTokens, upstreams: [petstore] }, env: { ...env, ...more } });
}

function findFaults(adminTokens: unknown, more?: Record<string, string>): string {
  try {
    load(adminTokens, more);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.join('\n');
    throw error;
  }
  return '';
}

test('tokens have a name, a role and a secret from the environment', () => {
  const board = { name: 'board', role: 'viewer', token: '${BOARD}' };
  expect(load([alice, board]).live.adminTokens).toEqual([
    { name: 'alice', role: 'admin', token: env.ALICE },
    { name: 'board', role: 'viewer', token: env.BOARD },
  ]);
});

test('a publisher token names its upstream', () => {
  const service = { name: 'pets', role: 'publisher', upstream: 'petstore', token: '${ALICE}' };
  expect(load([service]).live.adminTokens).toEqual([{ ...service, token: env.ALICE }]);
});

test.each([
  ['something other than a list', 'alice', /adminTokens must be a list of tokens/],
  ['an invalid name', [{ ...alice, name: 'Alice B.' }], /adminTokens\[0\].name must be 1 to 64 characters of/],
  ['the reserved name of the admin token', [{ ...alice, name: 'admin' }], /name must not be one of admin, system/],
  ['the reserved name of the gateway', [{ ...alice, name: 'system' }], /name must not be one of admin, system/],
  ['a duplicate name', [alice, { ...alice, token: '${BOARD}' }], /adminTokens\[1\].name is used twice/],
  ['a duplicate secret', [alice, { ...alice, name: 'bob' }], /adminTokens\[1\].token is used twice/],
  [
    'a missing role',
    [{ name: 'alice', token: '${ALICE}' }],
    /adminTokens\[0\].role must be one of admin, viewer, publisher/,
  ],
  ['an unknown role', [{ ...alice, role: 'owner' }], /adminTokens\[0\].role must be one of admin, viewer/],
  [
    'a publisher without an upstream',
    [{ ...alice, role: 'publisher' }],
    /gateway\.yaml:\d+: adminTokens\[0\].upstream is missing: name the upstream/,
  ],
  [
    'a publisher of an unknown upstream',
    [{ ...alice, role: 'publisher', upstream: 'mice' }],
    /gateway\.yaml:\d+: adminTokens\[0\].upstream must be the name of an upstream: petstore/,
  ],
  [
    'an upstream without the role publisher',
    [{ ...alice, upstream: 'petstore' }],
    /gateway\.yaml:\d+: adminTokens\[0\].upstream is only allowed for the role publisher/,
  ],
  ['a missing secret', [{ name: 'alice', role: 'admin' }], /adminTokens\[0\].token is missing: add it/],
  ['an empty secret', [{ ...alice, token: '${EMPTY}' }], /adminTokens\[0\].token must be printable ASCII/],
  ['a secret with a space', [{ ...alice, token: '${SPACED}' }], /adminTokens\[0\].token must be printable ASCII/],
  [
    'a guessable secret',
    [{ ...alice, token: '${SHORT}' }],
    /token must have at least 32 characters.*openssl rand -hex 32/,
  ],
  [
    'a secret that is the name of a variable',
    [{ ...alice, token: '${LITERAL}' }],
    /adminTokens\[0\].token contains \$\{…\}:/,
  ],
  ['an unset variable', [{ ...alice, token: '${NOWHERE}' }], /names the variable NOWHERE, which is not set/],
  ['a secret in the file', [{ ...alice, token: 'plain-secret' }], /adminTokens\[0\].token must be \$\{NAME\}/],
  ['a secret partly in the file', [{ ...alice, token: 'plain-${ALICE}' }], /adminTokens\[0\].token must be \$\{NAME\}/],
])('in adminTokens, %s is rejected, and the error contains no secret', (_, adminTokens, fault) => {
  const faults = findFaults(adminTokens);
  expect(faults).toMatch(fault);
  for (const secret of [...Object.values(env).filter(Boolean), 'plain-secret']) expect(faults).not.toContain(secret);
});

test('a token whose variable is not set causes only one error', () => {
  const bob = { ...alice, name: 'bob' };
  const faults = findFaults([
    { ...alice, token: '${NOWHERE}' },
    { ...bob, token: '${NOBODY}' },
  ]);
  expect(faults.match(/adminTokens.*/g)).toEqual([
    'adminTokens[0].token names the variable NOWHERE, which is not set: set it in the environment',
    'adminTokens[1].token names the variable NOBODY, which is not set: set it in the environment',
  ]);
});

test('a token that equals the admin token is rejected', () => {
  const fault = /adminTokens\[0\].token is the same as TOLLGATE_ADMIN_TOKEN/;
  expect(findFaults([alice], { TOLLGATE_ADMIN_TOKEN: env.ALICE })).toMatch(fault);
});
