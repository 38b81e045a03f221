import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ConfigError, Faults } from '../../src/base/configuration-faults.ts';
import { readUpstreamDocument } from '../../src/openapi/upstream-document.ts';
import { testConfig } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const pet = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } }, additionalProperties: false };
const createBody = (data: object) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: { data },
});
const sending = (schema: unknown, more: object = {}) => ({
  post: { ...more, requestBody: { content: { 'application/json': { schema } } } },
});

function write(fields: object): string {
  const file = join(folder.path, 'api.yaml');
  writeFileSync(file, stringify({ openapi: '3.1.0', paths: {}, ...fields }));
  return file;
}

function read(fields: object) {
  const faults = new Faults();
  const { eventTypes } = readUpstreamDocument(write(fields), { events: true }, faults);
  return { eventTypes, faults: faults.lines.map((line) => line.replace(`${folder.path}/`, '')) };
}

const delivered = (data: unknown) => ({ type: 'pet.created', timestamp: '2026-06-15T12:00:00.000Z', data });

/** The validation errors of some data for the only event type. */
function check(fields: object, ...data: unknown[]) {
  const { eventTypes, faults } = read(fields);
  expect(faults).toEqual([]);
  return data.map((one) => eventTypes[0]?.validate(delivered(one)));
}

test('a webhook is read as an event type with a name, an audience and a schema', () => {
  const { eventTypes, faults } = read({
    webhooks: {
      'pet.created': sending(createBody(pet), { summary: 'A pet was made.' }),
      'pet.checked': { summary: 'Somebody looked.', 'x-tollgate-audience': 'operators', ...sending(createBody({})) },
      'pet.fed': sending(createBody({}), { 'x-tollgate-audience': 'operators' }),
    },
  });
  expect(faults).toEqual([]);
  expect(eventTypes).toMatchObject([
    { name: 'pet.created', summary: 'A pet was made.', audience: 'everyone' },
    { name: 'pet.checked', summary: 'Somebody looked.', audience: 'operators' },
    { name: 'pet.fed', summary: '', audience: 'operators' },
  ]);
  expect(eventTypes[0]?.place).toMatch(/api\.yaml:5$/);
  expect(eventTypes[0]?.validate(delivered({ id: 1 }))).toBeUndefined();
  expect(eventTypes[0]?.validate(delivered({ id: 'x', name: 'Rex' }))).toEqual([
    { path: '/data/name', message: 'is unknown; use one of id' },
    { path: '/data/id', message: 'must be a whole number' },
  ]);
});

test('parts of a webhook may be components, and its body may combine several schemas', () => {
  const fields = {
    webhooks: { 'pet.created': { $ref: '#/components/pathItems/a~1b' } },
    components: {
      pathItems: { 'a/b': { post: { requestBody: { $ref: '#/components/requestBodies/Made' } } } },
      requestBodies: {
        Made: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Made' } } } },
      },
      schemas: {
        Made: {
          allOf: [
            { $ref: '#/components/schemas/Told' },
            { properties: { data: { $ref: '#/components/schemas/Pet' } } },
          ],
        },
        Told: { type: 'object', required: ['data'], properties: { type: { const: 'pet.created' } } },
        Pet: pet,
      },
    },
  };
  expect(check(fields, { id: 1 }, {})).toEqual([undefined, [{ path: '/data/id', message: 'is required' }]]);
});

test('unknown keywords and formats are ignored', () => {
  const id = { type: 'string', format: 'uuid', example: 'x', 'x-order': 1, xml: { name: 'id' }, discriminator: {} };
  const fields = {
    webhooks: {
      'pet.created': sending(createBody({ type: 'object', properties: { id, at: { format: 'date-time' } } })),
    },
  };
  expect(check(fields, { id: 'no uuid' }, { at: 'today' })).toEqual([
    undefined,
    [{ path: '/data/at', message: expect.stringContaining('RFC 3339') }],
  ]);
});

// Each has its own copy in the document for consumers: with a summary of 500 KB, 8,000 event types ended the process.
test('event types may share path items, but large ones only a limited number of times', () => {
  const item = (length: number) => sending(createBody({}), { summary: 'x'.repeat(length) });
  const sharing = (count: number, length: number) =>
    read({
      webhooks: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`pet.n${at}`, { $ref: '#/components/pathItems/a' }]),
      ),
      components: { pathItems: { a: item(length) } },
    });
  expect(sharing(50, 100_000)).toMatchObject({ eventTypes: { length: 50 }, faults: [] });
  expect(sharing(300, 100_000).faults).toEqual([
    expect.stringContaining('has paths and webhooks that refer to path items of more than 20 MB in all'),
  ]);
});

// All of them were compiled at once on a reload: 40 large ones held all requests for 39 s.
test('the schema of an event may be large, but not so large that compiling it takes long', () => {
  const schemas = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `S${at}`,
        { description: 'x'.repeat(900), properties: { next: { $ref: `#/components/schemas/S${at + 1}` } } },
      ]),
    );
  const last = (count: number) => ({ ...schemas(count), [`S${count}`]: { type: 'string' } });
  const withChain = (count: number) =>
    read({
      webhooks: { 'pet.created': sending(createBody({ $ref: '#/components/schemas/S0' })) },
      components: { schemas: last(count) },
    });
  expect(withChain(150)).toMatchObject({ eventTypes: { length: 1 }, faults: [] });
  // The nesting is as deep as the stack allows.
  const short = Object.fromEntries(
    Array.from({ length: 1500 }, (_, at) => [
      `S${at}`,
      { properties: { a: { $ref: `#/components/schemas/S${at + 1}` } } },
    ]),
  );
  const tooDeep = read({
    webhooks: { 'pet.created': sending(createBody({ $ref: '#/components/schemas/S0' })) },
    components: { schemas: { ...short, S1500: { type: 'string' } } },
  });
  expect(tooDeep.faults).toEqual([
    expect.stringContaining('webhooks pet.created has a schema that refers to too many others, one after the other'),
  ]);
  expect(withChain(3000).faults).toEqual([
    expect.stringContaining('webhooks pet.created has a schema of more than 200 KB, with all that it refers to'),
  ]);
});

test('a document of OpenAPI 3.0 uses x-webhooks, with schemas of that version', () => {
  const name = { type: 'string', nullable: true, enum: ['Rex'] };
  const weight = { type: 'number', minimum: 0, exclusiveMinimum: true };
  const webhooks = { 'pet.created': sending(createBody({ type: 'object', properties: { name, weight } })) };
  const fields = { openapi: '3.0.3', 'x-webhooks': webhooks };
  expect(check(fields, { name: null, weight: 0.1 }, { weight: 0 })).toEqual([
    undefined,
    [{ path: '/data/weight', message: 'must be greater than 0' }],
  ]);
  // In other versions, x-webhooks is a foreign extension. In 3.0, webhooks is not a field.
  expect(read({ 'x-webhooks': webhooks }).eventTypes).toEqual([]);
  expect(read({ openapi: '3.0.3', webhooks }).eventTypes).toEqual([]);
});

/** GitHub's document was rejected, because its webhooks do not have the names and format of the gateway's events. */
test('webhooks are event types only if the upstream’s configuration or its document declares them so', () => {
  const webhooks = { newPet: { post: {} } };
  const read = (fields: object, events?: boolean) => {
    const faults = new Faults();
    const { eventTypes } = readUpstreamDocument(write(fields), { events }, faults);
    return [eventTypes.map(({ name }) => name), faults.lines.length];
  };
  const declared = { 'x-tollgate-events': true, webhooks: { 'pet.created': sending(createBody(pet)) } };
  expect(read({ webhooks })).toEqual([[], 0]);
  expect(read({ openapi: '3.0.3', 'x-webhooks': [] })).toEqual([[], 0]);
  expect(read({ webhooks }, true)).toEqual([[], 2]);
  expect(read(declared)).toEqual([['pet.created'], 0]);
  expect(read(declared, false)).toEqual([[], 0]);
  expect(read({ 'x-tollgate-events': 'yes' })).toEqual([[], 1]);
  expect(read({ 'x-tollgate-event': true })).toEqual([[], 1]);
});

describe('an error that names the line is reported for', () => {
  test.each<[string, object, string]>([
    ['something other than a map', { webhooks: [] }, 'webhooks must be a map of event types'],
    ['an invalid event name', { webhooks: { newPet: sending(createBody(pet)) } }, 'webhooks newPet must be named like'],
    [
      'a name that is too long',
      { webhooks: { [`a.${'b'.repeat(63)}`]: sending(createBody(pet)) } },
      'at most 64 characters',
    ],
    ['no post', { webhooks: { 'pet.created': { put: {} } } }, 'webhooks pet.created must have a post'],
    ['a $ref to nothing', { webhooks: { 'pet.created': { $ref: '#/nowhere' } } }, 'must have a post, or a $ref to one'],
    ['no body', { webhooks: { 'pet.created': { post: {} } } }, 'must have a requestBody'],
    ['a body without a schema', { webhooks: { 'pet.created': sending(undefined) } }, 'must have a requestBody'],
    ['only the data', { webhooks: { 'pet.created': sending(pet) } }, 'the property data is missing'],
    [
      'a field that is never delivered',
      { webhooks: { 'pet.created': sending({ required: ['data', 'id'], properties: { data: pet } }) } },
      'requires id, but only { type, timestamp, data } is delivered',
    ],
    [
      'no schema',
      { webhooks: { 'pet.created': sending(createBody({ type: 'strng' })) } },
      'has a schema that cannot be used: ',
    ],
    [
      'a keyword of the wrong type',
      { webhooks: { 'pet.created': sending(createBody({ required: 'id' })) } },
      'has a schema that cannot be used: ',
    ],
    [
      'a schema in another file',
      { webhooks: { 'pet.created': sending(createBody({ $ref: 'https://example.com/pet.json' })) } },
      'has a schema that cannot be used: ',
    ],
    [
      'an invalid audience',
      { webhooks: { 'pet.created': { 'x-tollgate-audience': 'owner', ...sending(createBody(pet)) } } },
      'has an x-tollgate-audience that is neither everyone nor operators',
    ],
    [
      'an unknown x-tollgate field',
      { webhooks: { 'pet.created': sending(createBody(pet), { 'x-tollgate-owner': 'acme' }) } },
      'has x-tollgate-owner, which is unknown',
    ],
  ])('%s', (_, fields, fault) => {
    const { eventTypes, faults } = read(fields);
    expect(eventTypes).toEqual([]);
    expect(faults).toContainEqual(expect.stringContaining(fault));
    expect(faults[0]).toMatch(/^api\.yaml:[3-5]: webhooks/);
  });

  test('an event type of another service or the gateway', () => {
    const webhooks = { 'pet.created': sending(createBody(pet)), 'key.created': sending(createBody(pet)) };
    const other = { name: 'other', openapi: write({ webhooks }), targets: ['http://127.0.0.1:1'], events: true };
    const second = { ...other, name: 'second', openapi: join(folder.path, 'second.yaml') };
    writeFileSync(second.openapi, stringify({ openapi: '3.1.0', paths: {}, webhooks }));
    let errors: readonly string[] = [];
    try {
      testConfig(folder.path, { settings: { upstreams: [other, second] } });
    } catch (error) {
      errors = (error as ConfigError).faults.map((line) => line.replaceAll(`${folder.path}/`, ''));
    }
    const own = (line: string) =>
      expect.stringMatching(RegExp(`^${line}: key\\.created is the name of one of the gateway's own events`));
    const taken = 'pet.created is already an event of another service, at api.yaml:5: rename one';
    expect(errors).toEqual([own('api.yaml:25'), `second.yaml:5: ${taken}`, own('second.yaml:25')]);
  });
});

/** These schemas are allowed in a document, but once made publishing fail with an internal error. */
describe('unusual schemas', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const of = (x: object, schemas: object = {}) => ({
    webhooks: { 'pet.created': sending(createBody({ type: 'object', properties: { x } })) },
    components: { schemas },
  });

  test.each(['constructor', 'toString', '^a$'])('with the pattern %s are accepted', (pattern) => {
    expect(check(of({ type: 'string', pattern }), { x: '1' })).toEqual([
      [{ path: '/data/x', message: `must match ${pattern}` }],
    ]);
  });

  test('can have a property with the name of a method', () => {
    const x = { type: 'object', required: ['constructor'], properties: { toString: { type: 'integer' } } };
    expect(check(of(x), { x: {} }, { x: { constructor: 1, toString: 2 } })).toEqual([
      [{ path: '/data/x/constructor', message: 'is required' }],
      undefined,
    ]);
  });

  test.each(['constructor/keys', 'toString'])('are rejected if they refer to the missing schema %s', (name) => {
    expect(read(of({ $ref: `#/components/schemas/${name}` })).faults).toEqual([
      expect.stringContaining(`can't resolve reference #/components/schemas/${name}`),
    ]);
  });

  test('are rejected if their required fields are not names', () => {
    const body = { ...createBody({}), required: ['data', { toString: 1 }] };
    const [details] = check({ webhooks: { 'pet.created': sending(body) } }, {});
    expect(details).toEqual([{ path: expect.any(String), message: expect.any(String) }]);
  });

  test('can have an enum of objects', () => {
    expect(check(of({ enum: [{ a: 1 }, 'b'] }), { x: 1 })).toEqual([
      [{ path: '/data/x', message: 'must be one of {"a":1}, b' }],
    ]);
  });

  // Compiling once took twice as long with each level.
  test('can have deeply nested lists', () => {
    const [enumerated, x] = [JSON.parse(`${'['.repeat(100)}1${']'.repeat(100)}`) as object, ref('Deep')];
    expect(check(of(x, { Deep: { enum: [enumerated] } }), { x: enumerated })).toEqual([undefined]);
  });

  test('are rejected if they recurse infinitely', () => {
    const endless = { allOf: [ref('Endless')] };
    const [details] = check(of(ref('Endless'), { Endless: endless }), { x: 1 });
    expect(details).toEqual([{ path: '', message: expect.stringContaining('cannot be validated') }]);
  });
});
