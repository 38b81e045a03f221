/**
 * The guide for upstream teams lists what a document may not have. For each row, the gateway refuses the document, and
 * the error names file and line.
 */
import { afterAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { readTableRows } from '../support/documents.ts';
import { createPlans } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
afterAll(() => folder.remove());

const get = (fields: object = {}) => ({ get: { responses: {}, ...fields } });
const withPaths = (paths: object, more: object = {}) => ({ openapi: '3.1.0', paths, ...more });
const many = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, n) => value(n));
const manyPaths = (count: number, path: (index: number) => string, item: object) =>
  Object.fromEntries(many(count, (n) => [path(n), item]));

/** Documents that have the fault of each row of the table. Text is used as the content of the file. */
const EXAMPLES: Readonly<Record<string, readonly (object | string)[]>> = {
  'OpenAPI 3.2, or Swagger before 2.0': [
    { openapi: '3.2.0', paths: {} },
    { swagger: '1.2', paths: {} },
  ],
  'a wildcard in a path: `/files/*`, `/files/{path+}`': [
    withPaths({ '/files/*': get() }),
    withPaths({ '/files/{path+}': get() }),
  ],
  '`?`, `#` or a control character in a path, or a path that does not begin with `/`': [
    withPaths({ '/a?b=c': get() }),
    withPaths({ '/a#b': get() }),
    withPaths({ '/a\u0001': get() }),
    withPaths({ a: get() }),
  ],
  'two parameters with nothing between them (`/{a}{b}`), or with the same name': [
    withPaths({ '/{a}{b}': get() }),
    withPaths({ '/{a}/{a}': get() }),
  ],
  'a parameter without a name, or `{` without `}`': [withPaths({ '/{}': get() }), withPaths({ '/{a': get() })],
  'more than 500 paths with a parameter and other text in one segment: `/{name}.json`': [
    withPaths(manyPaths(501, (n) => `/a${n}/{name}.json`, get())),
  ],
  'a path below `/_gateway/`': [withPaths({ '/_gateway/a': get() })],
  'the path `/.well-known/api-catalog`, if the portal is public': [withPaths({ '/.well-known/api-catalog': get() })],
  'the path `/.well-known/oauth-protected-resource`, if `tokens` are configured': [
    withPaths({ '/.well-known/oauth-protected-resource': get() }),
  ],
  'the same method and path twice, also if only the names of parameters differ': [
    withPaths({ '/{a}': get(), '/{b}': get() }),
  ],
  'an `operationId` twice, in one document or in two': [
    withPaths({ '/a': get({ operationId: 'a' }), '/b': get({ operationId: 'a' }) }),
  ],
  'an `operationId` that is `*`, has control characters, or more than 512 characters': many(3, (n) =>
    withPaths({ '/a': get({ operationId: ['*', 'a\nb', 'a'.repeat(513)][n] }) }),
  ),
  'a path item in another file (`$ref: pets.yaml`)': [withPaths({ '/a': { $ref: 'pets.yaml' } })],
  'a circular `$ref`, or a chain of more than 100': [
    withPaths({}, { components: { schemas: { A: { $ref: '#/components/schemas/A' } } } }),
    withPaths({}, { components: { schemas: manyRefs(102) } }),
  ],
  'more than 100 tags, responses or security schemes of an operation': [
    withPaths({ '/a': get({ tags: many(101, String) }) }),
    withPaths({ '/a': get({ responses: Object.fromEntries(many(101, (n) => [n + 200, { description: '' }])) }) }),
    withPaths({ '/a': get({ security: many(101, (n) => ({ [n]: [] })) }) }),
  ],
  'a tag of more than 200 characters': [withPaths({ '/a': get({ tags: ['a'.repeat(201)] }) })],
  'more than 20 MB of path items that are referred to, each as often as it is': [
    withPaths(
      manyPaths(300, (n) => `/a${n}`, { $ref: '#/components/pathItems/large' }),
      { components: { pathItems: { large: get({ description: 'x'.repeat(100_000) }) } } },
    ),
  ],
  'an unknown field that begins with `x-tollgate-`, or a date that cannot be read': [
    withPaths({ '/a': get({ 'x-tollgate-price': 1 }) }),
    withPaths({ '/a': get({ deprecated: true, 'x-deprecated-at': 'soon' }) }),
  ],
  'a key twice in a map, YAML 1.1, or more than 200 levels': [
    'openapi: 3.1.0\npaths: {}\npaths: {}\n',
    '%YAML 1.1\n---\nopenapi: 3.1.0\npaths: {}\n',
    `{"openapi":"3.1.0","paths":{},"x":${'['.repeat(201)}${']'.repeat(201)}}`,
  ],
  '`paths`, `components`, path items, operations or `responses` that are not maps': [
    withPaths([]),
    { openapi: '3.0.3' },
    withPaths({}, { components: [] }),
    withPaths({ '/a': [] }),
    withPaths({ '/a': { get: 'a' } }),
    withPaths({ '/a': get({ responses: 'a' }) }),
  ],
};

function manyRefs(count: number): object {
  return Object.fromEntries(many(count, (n) => [`A${n}`, { $ref: `#/components/schemas/A${n + 1}` }]));
}

function loadFaults(document: object | string): readonly string[] {
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write('plans.yaml', stringify(createPlans({ minute: 1, day: 1 })));
  write('api.yaml', typeof document === 'string' ? document : stringify(document));
  const tokens = [{ name: 'corp', issuer: 'https://login.example.com', audience: ['api'], plan: 'free' }];
  const upstreams = [{ name: 'a', openapi: 'api.yaml', targets: ['http://127.0.0.1:9'] }];
  write('gateway.yaml', stringify({ plans: 'plans.yaml', portal: { enabled: true, public: true }, tokens, upstreams }));
  try {
    loadConfig({ TOLLGATE_CONFIG: 'gateway.yaml' }, folder.path);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const rows = readTableRows('docs/upstream-teams.md', 'not accepted').map(([what = '']) => what);

test('the table in the guide lists the same faults as the examples in this test', () => {
  expect(Object.keys(EXAMPLES)).toEqual(rows);
});

test.each(
  Object.entries(EXAMPLES).flatMap(([what, documents]) => documents.map((document) => [what, document] as const)),
)('a document with %s is refused', (_, document) => {
  const [first, ...others] = loadFaults(document);
  expect(first).toMatch(/^\S*\/api\.yaml(?::\d+)?: /);
  expect(others.length).toBeLessThan(20);
});

test('parts of a document that the gateway does not use are not validated', () => {
  const schemas = { A: { type: 'nonsense', $ref: 'other.yaml#/A' }, B: { $ref: '#/components/schemas/None' } };
  expect(loadFaults(withPaths({ '/a': get({ parameters: 'none' }) }, { components: { schemas } }))).toEqual([]);
});
