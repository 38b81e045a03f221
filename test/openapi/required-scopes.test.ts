/**
 * Documents whose scopes cannot be enforced are refused, and the error names the place. scopes.test.ts tests how scopes
 * are enforced.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Faults } from '../../src/base/configuration-faults.ts';
import { readRequiredScopes } from '../../src/openapi/required-scopes.ts';
import { readUpstreamDocument } from '../../src/openapi/upstream-document.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const file = join(temporaryDirectory(), 'api.json');
const components = {
  securitySchemes: { oauth: { type: 'oauth2' }, key: { type: 'apiKey' }, lost: { $ref: '#/components/x' } },
};

/** @param fields of the operation, and of the document */
function read({ operation = {}, document = {} }: { operation?: object; document?: object }) {
  const paths = { '/a': { get: operation, post: operation }, '/b': { $ref: '#/components/pathItems/b' } };
  const all = { components: { ...components, pathItems: { b: { get: operation } } }, ...document, paths };
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, ...all }, null, 1));
  const faults = new Faults();
  const read = readUpstreamDocument(file, { prefix: '/shop' }, faults);
  const scopes = readRequiredScopes(read, faults);
  const lines: string[] = [];
  try {
    faults.throwIfAny();
  } catch (error) {
    lines.push(...(error as { faults: string[] }).faults);
  }
  return { scopes, faults: lines.map((line) => line.replace(file, 'api.json')) };
}

test.each([
  ['a map', { oauth: ['a'] }, 'must be a list of security requirements'],
  ['a list of names', ['oauth'], 'must be a list of maps from the names of security schemes to lists of scopes'],
  [
    'a scheme that is not declared',
    [{ other: ['a'] }],
    'names other, which components.securitySchemes does not declare: declare it, or correct it',
  ],
  [
    'a reference that leads nowhere',
    [{ lost: ['a'] }],
    'names lost, which components.securitySchemes does not declare: declare it, or correct it',
  ],
  [
    'a name that every object has',
    [{ constructor: ['a'] }],
    'names constructor, which components.securitySchemes does not declare: declare it, or correct it',
  ],
  [
    'text instead of a list',
    [{ oauth: 'a' }],
    'must have a list of scopes for oauth: text without spaces, quotes and backslashes',
  ],
  [
    'two scopes in one',
    [{ oauth: ['a b'] }],
    'must have a list of scopes for oauth: text without spaces, quotes and backslashes',
  ],
  [
    'a scope that would end the challenge',
    [{ oauth: ['a", realm="b'] }],
    'must have a list of scopes for oauth: text without spaces, quotes and backslashes',
  ],
  [
    'an empty scope',
    [{ oauth: [''] }],
    'must have a list of scopes for oauth: text without spaces, quotes and backslashes',
  ],
  ['long scopes', [{ oauth: ['a'.repeat(4001)] }], 'names scopes of more than 4000 characters: name fewer'],
])('security with %s is refused', (_, security, fault) => {
  const { faults } = read({ operation: { security } });
  expect(faults).toEqual([
    expect.stringMatching(/^api\.json:\d+: GET \/shop\/a security /),
    expect.stringMatching(/^api\.json:\d+: POST \/shop\/a security /),
    expect.stringMatching(/^api\.json:\d+: GET \/shop\/b security /),
  ]);
  for (const each of faults) expect(each.endsWith(`security ${fault}`)).toBe(true);
  // The document's own requirement is reported once, although all operations inherit it.
  expect(read({ document: { security } }).faults).toEqual([`api.json: security ${fault}`]);
});

test('any other security is accepted or refused, and never ends the process', () => {
  const names = fc.constantFrom('oauth', 'key', 'lost', 'other', 'constructor', '');
  const scopes = fc.oneof(fc.array(fc.oneof(fc.string(), fc.jsonValue())), fc.jsonValue());
  const security = fc.oneof(fc.array(fc.oneof(fc.dictionary(names, scopes), fc.jsonValue())), fc.jsonValue());
  fc.assert(
    fc.property(security, (value) => {
      const { scopes: found } = read({ operation: { security: value } });
      for (const alternatives of found.values()) {
        expect(alternatives.length).toBeGreaterThan(0);
        for (const alternative of alternatives)
          expect([...alternative].join(' ')).toMatch(/^[^\s"\\]+(?: [^\s"\\]+)*$/);
      }
    }),
    { numRuns: 300 },
  );
});

test('operations that have the same requirement share one list', () => {
  const { scopes, faults } = read({ document: { security: [{ oauth: ['a', 'b'], key: [] }] } });
  expect(faults).toEqual([]);
  expect([...scopes.keys()].map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /shop/a',
    'POST /shop/a',
    'GET /shop/b',
  ]);
  expect(new Set(scopes.values()).size).toBe(1);
  expect([...scopes.values()][0]).toEqual([new Set(['a', 'b'])]);
});

test('operations without requirements are not listed', () => {
  for (const security of [[], [{}], [{ key: [] }], [{ oauth: [] }], [{ oauth: ['a'] }, {}]]) {
    expect(read({ operation: { security }, document: { security: [{ oauth: ['a'] }] } })).toEqual({
      scopes: new Map(),
      faults: [],
    });
  }
});
