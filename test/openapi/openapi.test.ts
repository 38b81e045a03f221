import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Faults, type ConfigError } from '../../src/base/configuration-faults.ts';
import { readDocument } from '../../src/openapi/openapi.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

function read(text: string, prefix = '') {
  const file = join(folder.path, 'api.yaml');
  writeFileSync(file, text);
  const faults = new Faults();
  const warnings: string[] = [];
  const document = readDocument(file, { prefix }, faults, warnings);
  return { operations: document.operations, warnings, faults: formatLines(faults) };
}

function formatLines(faults: Faults): string[] {
  try {
    faults.throwIfAny();
    return [];
  } catch (error) {
    return (error as ConfigError).faults.map((line) => line.replace(`${folder.path}/`, ''));
  }
}

const operation = (fields: string) => `openapi: 3.1.0\npaths:\n  /a/{id}:\n    get:\n${fields}\n`;

test('an operation is read with all its lifecycle fields', () => {
  const { operations, faults } = read(
    operation(`      operationId: readA
      deprecated: true
      x-deprecated-at: 2026-11-01T00:00:00Z
      x-sunset: 2027-12-31
      x-brownouts:
        - { from: 2027-11-02T10:00:00+01:00, to: 2027-11-02T09:30:00Z }
        - { from: 2027-12-01T00:00:00Z, to: 2027-12-01T01:30:00.000Z }
      x-successor: /b?id={id}
      x-deprecation-link: https://example.com/why
      x-stability-level: beta
      x-tollgate-cost: 5`),
    '/shop',
  );
  expect(faults).toEqual([]);
  expect(operations).toEqual([
    {
      id: 'readA',
      method: 'GET',
      path: '/shop/a/{id}',
      hasRest: false,
      tags: [],
      cost: 5,
      public: false,
      reads: false,
      timeoutMs: null,
      maxBodyBytes: null,
      validation: null,
      source: expect.stringMatching(/api\.yaml:5$/),
      lifecycle: {
        deprecated: true,
        deprecatedAt: Date.UTC(2026, 10, 1),
        sunsetAt: Date.UTC(2027, 11, 31),
        brownouts: [
          { from: Date.UTC(2027, 10, 2, 9), to: Date.UTC(2027, 10, 2, 9, 30) },
          { from: Date.UTC(2027, 11, 1), to: Date.UTC(2027, 11, 1, 1, 30) },
        ],
        stability: 'beta',
        successor: '/shop/b?id={id}',
        deprecationLink: 'https://example.com/why',
      },
    },
  ]);
});

test('JSON and path items by reference are read', () => {
  const { operations, faults } = read(
    JSON.stringify({
      openapi: '3.0.3',
      paths: { '/a': { $ref: '#/components/pathItems/x~1y' } },
      components: { pathItems: { 'x/y': { put: {} } } },
    }),
  );
  expect(faults).toEqual([]);
  expect(operations.map(({ id }) => id)).toEqual(['PUT /a']);
});

test('deprecated without a date is reported as a warning, and no date is assumed', () => {
  const { operations, warnings, faults } = read(operation('      deprecated: true'));
  expect(faults).toEqual([]);
  expect(warnings).toEqual([
    expect.stringMatching(/api\.yaml:5: GET \/a\/\{id\} is deprecated without x-deprecated-at/),
  ]);
  expect(operations[0]?.lifecycle.deprecatedAt).toBeNull();
});

test('several deprecated operations without dates are reported as one warning, at the first of them', () => {
  const get = { deprecated: true };
  const { warnings } = read(JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get, put: get }, '/b': { get } } }));
  expect(warnings).toEqual([
    expect.stringMatching(/api\.yaml:1: GET \/a and 2 more operations are deprecated without x-deprecated-at.+dates$/),
  ]);
});

test('a parameter marked with x-multi-segment takes the rest of the path if it is the whole last segment', () => {
  const mark = (name: string, more: object = {}) => ({ name, in: 'path', 'x-multi-segment': true, ...more });
  const paths = {
    '/own/{path}': { get: { parameters: [mark('path')] }, put: {} },
    '/shared/{path}': {
      parameters: [mark('path')],
      get: {},
      put: { parameters: [mark('path', { 'x-multi-segment': false })] },
    },
    '/referred/{path}': { get: { parameters: [{ $ref: '#/components/parameters/path' }] } },
    '/plain/{path}': { get: { parameters: [mark('path', { 'x-multi-segment': 'true' }), null, 5] } },
  };
  const text = JSON.stringify({ openapi: '3.1.0', paths, components: { parameters: { path: mark('path') } } });
  const { operations, warnings, faults } = read(text, '/store');
  expect({ warnings, faults }).toEqual({ warnings: [], faults: [] });
  expect(operations.filter(({ hasRest }) => hasRest).map(({ id }) => id)).toEqual([
    'GET /store/own/{path}',
    'GET /store/shared/{path}',
    'GET /store/referred/{path}',
  ]);
});

test('x-multi-segment elsewhere is ignored, with one warning for the whole document', () => {
  const mark = (name: string, place = 'path') => ({ name, in: place, 'x-multi-segment': true });
  const paths = {
    '/a/{ref}/status': { get: { parameters: [mark('ref')] }, put: { parameters: [mark('ref')] } },
    '/a/{ref}.zip': { get: { parameters: [mark('ref')] } },
    '/a/{ref}/': { get: { parameters: [mark('ref')] } },
    '/a/{ref}': { get: { parameters: [mark('ref', 'query'), mark('other')] } },
  };
  const { operations, warnings } = read(JSON.stringify({ openapi: '3.1.0', paths }));
  expect(operations.some(({ hasRest }) => hasRest)).toBe(false);
  expect(warnings).toEqual([
    expect.stringMatching(
      /api\.yaml:1: GET \/a\/\{ref\}\/status: the parameter ref has x-multi-segment, which is ignored \(and 5 more in this document\): only a path parameter that is the whole last segment can span slashes$/,
    ),
  ]);
});

test.each([
  [
    'x-brownouts: [{ from: 2026-01-01T00:00:00Z, to: 2026-01-02T00:00:00Z }]\n      deprecated: true\n      x-deprecated-at: 2026-06-01',
    'x-brownouts starts before x-deprecated-at',
  ],
  ['x-sunset: 2027-02-30\n      deprecated: true', 'x-sunset must be a date such as'],
  [
    'x-sunset: 2020-01-01\n      deprecated: true\n      x-deprecated-at: 2026-01-01T00:00:00Z',
    'x-sunset is before x-deprecated-at',
  ],
  ['x-sunset: 2027-01-01', 'deprecated must be true if'],
  ['x-deprecated-at: 5\n      deprecated: true', 'x-deprecated-at must be text'],
  ['x-successor: /b/{other}', 'x-successor names {other}, which is not a parameter of the path ('],
  ['x-deprecation-link: https://example.com/docs → new', 'x-deprecation-link must be a URL or path'],
  ['x-successor: "/b?id={id}>"', 'x-successor must be a URL or path'],
  ['x-stability-level: wobbly', 'x-stability-level must be one of experimental'],
  ['x-tollgate-cost: 0', 'x-tollgate-cost must be a positive whole number'],
  ['operationId: ""', 'operationId must be non-empty text'],
  // The history uses this name for the total of all operations, so such an operation would be counted twice.
  [`operationId: '*'`, 'operationId must not be "*", which stands for all operations: rename it'],
  ['operationId: 5', 'operationId must be non-empty text'],
  // PostgreSQL rejects such names, so all counts that were written together with one of them were once lost.
  ['operationId: "a\\0b"', 'operationId must not contain control characters'],
  ['operationId: "a\\ud800"', 'operationId must not contain half of a character (the unpaired surrogate U+D800)'],
  ['operationId: "a\\u202eb"', 'operationId must not contain the invisible character U+202E'],
  [
    `operationId: ${'a'.repeat(513)}`,
    "operationId makes the operation's id too long: idPrefix and operationId together (without an operationId, method and path) must have at most 512 characters",
  ],
  ['x-tollgate-cost: "2"', 'x-tollgate-cost must be a positive whole number'],
])('an operation with %s is rejected', (fields, fault) => {
  expect(read(operation(`      ${fields}`)).faults).toEqual([expect.stringContaining(fault)]);
});

test('an invalid brownout is rejected, and the error names its line', () => {
  const { faults } = read(
    operation(`      deprecated: true
      x-brownouts:
        - { from: 2026-12-01T00:00:00Z, to: 2026-12-02T00:00:00Z }
        - { from: 2026-12-05T00:00:00Z, to: tomorrow }`),
  );
  expect(faults).toEqual([
    expect.stringMatching(/^api\.yaml:8: GET \/a\/\{id\} x-brownouts\[1\]\.to must be an RFC 3339 date-time/),
  ]);
});

test('a brownout of an operation that is not deprecated is rejected', () => {
  const brownouts = '[{ from: 2026-12-01T00:00:00Z, to: 2026-12-02T00:00:00Z }]';
  expect(read(operation(`      x-brownouts: ${brownouts}`)).faults).toEqual([
    expect.stringContaining('deprecated must be true if x-deprecated-at, x-sunset or x-brownouts is set'),
  ]);
});

test.each([
  ['{}', 'openapi must be 3.0.x or 3.1.x'],
  ['swagger: "1.2"', 'swagger is Swagger 1.2, which is not supported: use Swagger 2.0, or OpenAPI 3.0 or 3.1'],
  ['openapi: 3.2.0\npaths: {}', 'openapi is 3.2.x, which is not supported'],
  ['openapi: 3.0.3', 'paths must be a map of paths'],
  ['openapi: 3.1.0\npaths: []', 'paths must be a map of paths'],
  [
    'openapi: 3.1.0\npaths: { "/files/*": {} }',
    'paths /files/* has a wildcard, which OpenAPI does not support: use a parameter with x-multi-segment: true',
  ],
  ['openapi: 3.1.0\npaths: { "/files/{path+}": {} }', 'paths /files/{path+} has a wildcard'],
  ['openapi: 3.1.0\npaths: { "/{a}{b}": { get: {} } }', 'has two parameters with nothing between them'],
  [
    'openapi: 3.1.0\npaths: { /a: { $ref: "#/nowhere" } }',
    '"#/nowhere" points to nothing in this document: use a local reference, such as #/components/',
  ],
])('the document %j is rejected', (text, fault) => {
  expect(read(text).faults).toEqual([expect.stringContaining(fault)]);
});

test('extensions for the gateway are read', () => {
  const { operations, faults } = read(
    operation('      security: []\n      x-tollgate-timeout: 1m\n      x-tollgate-max-body: 5mb'),
  );
  expect(faults).toEqual([]);
  expect(operations).toEqual([
    expect.objectContaining({ public: true, timeoutMs: 60_000, maxBodyBytes: 5 * 1024 * 1024 }),
  ]);
});

test('invalid extensions are rejected, and the errors name their lines', () => {
  const { faults } = read(
    operation('      x-tollgate-timeout: 5\n      x-tollgate-max-body: 0b\n      x-tollgate-retries: 3'),
  );
  expect(faults).toEqual([
    expect.stringMatching(/^api\.yaml:7: GET \/a\/\{id\} x-tollgate-retries is unknown/),
    expect.stringMatching(/^api\.yaml:5: GET \/a\/\{id\} x-tollgate-timeout must be a duration/),
    expect.stringMatching(/^api\.yaml:6: GET \/a\/\{id\} x-tollgate-max-body must be a size such as/),
  ]);
});

test('security: [] for the whole document is reported as a warning, and makes no operation public', () => {
  const { operations, warnings } = read(`security: []\n${operation('      summary: A')}`);
  expect(operations).toEqual([expect.objectContaining({ public: false })]);
  expect(warnings).toEqual([expect.stringMatching(/api\.yaml:1: security: \[\] for the whole document/)]);
});
