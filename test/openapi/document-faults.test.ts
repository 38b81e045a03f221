/**
 * A document with `components: { __proto__: … }` changed the prototype of every object of the process, and one with
 * `components: { constructor: { keys: … } }` replaced `Object.keys`: it was accepted, and the next reload ended the
 * process. `$ref: '#/components/schemas/%zz'` was a 500.
 */
import { describe, expect, test } from '@jest/globals';
import { Faults } from '../../src/base/configuration-faults.ts';
import { parseYaml } from '../../src/base/yaml.ts';
import { documentIn } from '../../src/openapi/openapi.ts';
import { createReferenceCheck } from '../../src/openapi/pointer.ts';

function findFaults(text: string): readonly string[] {
  const faults = new Faults();
  const yaml = parseYaml('api.yaml', text, faults);
  if (yaml !== null) documentIn(yaml, {}, faults, []);
  return faults.lines;
}

/** `fields` start at line 3. */
const faultsWith = (fields: string, paths: object = {}) =>
  findFaults(`openapi: 3.1.0\npaths: ${JSON.stringify(paths)}\n${fields}`);
const faultsOfSchema = (schema: string) =>
  faultsWith(
    `components:\n  schemas:\n    A: ${schema}\n    B: { $ref: '#/components/schemas/C' }\n    C: { type: object }`,
  );

describe('in components', () => {
  test.each([
    [
      '__proto__',
      '  __proto__: { polluted: {} }',
      'api.yaml:4: components has the key __proto__, which is not allowed',
    ],
    ['constructor', '  constructor: { keys: {} }', 'api.yaml:4: components.constructor is not a kind of component'],
    ['a misspelled kind', '  schema: { A: {} }', 'api.yaml:4: components.schema is not a kind of component'],
    [
      'a component named __proto__',
      '  schemas: { __proto__: {} }',
      'api.yaml:4: components.schemas has the key __proto__',
    ],
    ['null instead of a kind', '  schemas:', 'api.yaml:4: components.schemas must be a map'],
    ['a list instead of a kind', '  schemas: [{}]', 'api.yaml:4: components.schemas must be a map'],
    ['null instead of a component', '  schemas:\n    A:', 'api.yaml:5: components.schemas.A must be a map'],
    ['true instead of a response', '  responses:\n    A: true', 'api.yaml:5: components.responses.A must be a map'],
  ])('%s is rejected', (_, kinds, fault) => {
    expect(faultsWith(`components:\n${kinds}`)).toEqual([expect.stringContaining(fault)]);
  });

  test('null or a list is rejected', () => {
    expect(faultsWith('components:')).toEqual([
      'api.yaml:3: components must be a map: if it is empty, remove the field',
    ]);
    expect(faultsWith('components: []')).toEqual([expect.stringContaining('components must be a map')]);
  });

  test('every kind of OpenAPI component, extensions, boolean schemas, and names of methods are accepted', () => {
    const kinds = [
      'schemas',
      'responses',
      'parameters',
      'examples',
      'requestBodies',
      'headers',
      'securitySchemes',
      'links',
      'callbacks',
      'pathItems',
    ];
    const all = kinds.map((kind) => `  ${kind}: { constructor: {}, toString: {} }`);
    expect(faultsWith(['components:', ...all, '  x-mine: 5'].join('\n'))).toEqual([]);
    expect(faultsWith('components: { schemas: { Any: true } }')).toEqual([]);
  });
});

describe('a reference', () => {
  test.each([
    [
      'invalid percent-encoding',
      "{ $ref: '#/components/schemas/%zz' }",
      '"#/components/schemas/%zz" is not percent-encoded',
    ],
    ['to itself', "{ $ref: '#/components/schemas/A' }", '"#/components/schemas/A" is circular'],
    ['into invalid percent-encoding', "{ properties: { b: { $ref: '#/%' } } }", 'A.properties.b.$ref "#/%" is not'],
  ])('with a fault is rejected: %s', (_, schema, fault) => {
    const faults = faultsOfSchema(schema);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults[0]).toMatch(/^api\.yaml:5: components\.schemas\.A/);
  });

  test('in a cycle of two is rejected', () => {
    expect(
      faultsWith(
        "components:\n  schemas:\n    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }",
      ),
    ).toEqual([
      expect.stringContaining('api.yaml:5: components.schemas.A.$ref "#/components/schemas/B" is circular'),
      expect.stringContaining('api.yaml:6: components.schemas.B.$ref "#/components/schemas/A" is circular'),
    ]);
  });

  test.each([
    ['a schema that contains itself', "{ properties: { next: { $ref: '#/components/schemas/A' } } }"],
    ['indirectly to itself', "{ $ref: '#/components/schemas/B' }"],
    ['to another document', "{ $ref: 'other.yaml#/%zz' }"],
    [
      'example data of that form',
      "{ example: { $ref: '#/%zz' }, enum: [{ $ref: '#/%zz' }], x-mine: { $ref: '#/%zz' } }",
    ],
    ['a property of that name', '{ properties: { $ref: { type: string } } }'],
    ['escaped', "{ $ref: '#/components/schemas/a%20b~1c' }"],
    ['the whole document', "{ $ref: '#' }"],
  ])('of an allowed kind is accepted: %s', (_, schema) => {
    expect(faultsOfSchema(schema)).toEqual([]);
  });
});

// A document with 8,000 references to a chain of long names held the start for a minute.
test('a chain of references is read once, however many references lead to it', () => {
  let reads = 0;
  const link = (name: string) =>
    Object.defineProperty({}, '$ref', { enumerable: true, get: () => (reads++, `#/${name}`) });
  const chain = Array.from({ length: 50 }, (_, at) => [`c${at}`, link(`c${at + 1}`)]);
  const checkReference = createReferenceCheck({ ...Object.fromEntries(chain), c50: {}, round: link('round') });
  for (let at = 0; at < 50; at++) expect(checkReference(`#/c${at}`)).toBeNull();
  expect(checkReference('#/round')).toContain('circular');
  // Each is read twice, because its type is determined first.
  expect(reads).toBe(51 * 2);
});

test.each([
  ['"/a\\e[2J"', 'has the control character U+001B, which is not allowed in a path'],
  ['"/a\\nb"', 'has the control character U+000A, which is not allowed in a path'],
  ['"/a\\ud800"', 'has half of a character (an unpaired surrogate)'],
])('the path %s is rejected, and the error is one line that cannot affect a terminal', (path, message) => {
  const faults = findFaults(`openapi: 3.1.0\npaths:\n  ${path}: { get: {} }\n`);
  expect(faults).toEqual([expect.stringContaining(message)]);
  expect(faults[0]).not.toMatch(/\p{Cc}/u);
});

test('a message is truncated if it has a long name', () => {
  const faults = faultsWith(`components: { ${'k'.repeat(100_000)}: {} }`);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.length).toBeLessThan(1100);
});

describe('null and other values instead of a map are rejected', () => {
  test.each([
    ['a path', '  /a:', 'api.yaml:3: paths /a must be a map'],
    ['a path as a list', '  /a: [get]', 'api.yaml:3: paths /a must be a map'],
    ['an operation', '  /a:\n    get:', 'api.yaml:4: GET /a must be a map'],
    ['an operation as text', '  /a:\n    get: yes', 'api.yaml:4: GET /a must be a map'],
    ['responses', '  /a:\n    get:\n      responses:', 'api.yaml:5: GET /a responses must be a map'],
    ['a response', '  /a:\n    get:\n      responses:\n        200:', 'api.yaml:6: GET /a responses.200 must be a map'],
  ])('for %s', (_, paths, fault) => {
    expect(findFaults(`openapi: 3.1.0\npaths:\n${paths}\n`)).toEqual([fault]);
  });

  test.each(['', '[]', '- a', 'text', '42', '{}'])('as the whole document: %j', (text) => {
    expect(findFaults(text)).toEqual([expect.stringMatching(/^api\.yaml(:1)?: openapi must be 3\.0\.x or 3\.1\.x/)]);
  });
});

// With 8,000 paths and 8,000 brownouts, the start never ended. With other long texts, the process ended.
test('paths may share path items, but large ones only a limited number of times', () => {
  const sharing = (count: number) =>
    faultsWith(
      `components: ${JSON.stringify({ pathItems: { a: { get: { description: 'x'.repeat(100_000) } } } })}`,
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`/p${at}`, { $ref: '#/components/pathItems/a' }])),
    );
  expect(sharing(100)).toEqual([]);
  expect(sharing(300)).toEqual([expect.stringContaining('path items of more than 20 MB in all')]);
});
