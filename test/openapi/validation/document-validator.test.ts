import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Faults } from '../../../src/base/configuration-faults.ts';
import { readUpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { createDocumentValidator } from '../../../src/openapi/validation/document-validator.ts';
import type { DocumentValidator, Violation } from '../../../src/openapi/validation/validation.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function loadValidator(paths: object, components: object = {}, openapi = '3.1.0'): Promise<DocumentValidator> {
  const folder = tempFolder();
  const file = join(folder.path, 'openapi.json');
  writeFileSync(file, JSON.stringify({ openapi, info: { title: 't', version: '1' }, paths, components }));
  const faults = new Faults();
  const document = readUpstreamDocument(file, { prefix: '/v1', idPrefix: 'a.' }, faults);
  folder.remove();
  faults.throwIfAny();
  return createDocumentValidator(document);
}

function operationWith(schema: object): object {
  return {
    '/x': { post: { operationId: 'x', requestBody: { required: true, content: { 'application/json': { schema } } } } },
  };
}

async function checkBody(schema: object, text: string | Buffer, components: object = {}, openapi = '3.1.0') {
  const validator = await loadValidator(operationWith(schema), components, openapi);
  expect(validator.unchecked).toEqual([]);
  const check = validator.forOperation('a.x').bodyCheck('application/json; charset=utf-8');
  return check?.(Buffer.from(text as string));
}

const rulesIn = (result: unknown) =>
  (result as Violation[]).map(({ path, rulePath, rule }) => `${path} ${rulePath} ${rule}`);

test('a violation has its place, its declared place and the rule, but no value', async () => {
  const schema = {
    type: 'object',
    required: ['id', 'tags'],
    properties: {
      id: { type: 'integer' },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
      extra: { additionalProperties: { maxLength: 3 } },
    },
    additionalProperties: false,
  };
  const result = await checkBody(schema, '{"tags":["a","secret"],"extra":{"sec/ret":"secret"},"secret":1}');
  expect(result).toEqual([
    { path: '/id', rulePath: '/id', rule: 'required', message: 'is required' },
    { path: '/tags/1', rulePath: '/tags/*', rule: 'enum', message: 'must be one of a, b' },
    { path: '/extra/sec~1ret', rulePath: '/extra/*', rule: 'maxLength', message: 'must have at most 3 characters' },
    {
      path: '/secret',
      rulePath: '/*',
      rule: 'additionalProperties',
      message: 'is unknown; use one of id, tags, extra',
    },
  ]);
});

test('a body that is not valid JSON, or that the gateway does not accept as JSON, is reported', async () => {
  const faults = ['{', '', ' ', '{"a":1,"a":2}', '\u{feff}{}', '[01]', '{"a":1,}', '"\n"', '[1] 2', 'nul', '"\\x"'];
  const schema = { type: ['object', 'array', 'string', 'null'] };
  const results = await Promise.all(faults.map((text) => checkBody(schema, text)));
  expect(results.map((result) => (result !== undefined && 'fault' in result ? result.fault : result))).toEqual([
    'not_json',
    [{ path: '', rulePath: '', rule: 'required', message: 'is required' }],
    'not_json',
    'duplicate_name',
    'byte_order_mark',
    ...Array.from({ length: 6 }, () => 'not_json'),
  ]);
  expect(await checkBody(schema, Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ fault: 'invalid_utf8' });
});

test('properties named like methods of JavaScript objects are ordinary properties', async () => {
  const schema = {
    type: 'object',
    required: ['constructor'],
    properties: { toString: { type: 'integer' } },
    additionalProperties: { type: 'boolean' },
  };
  expect(rulesIn(await checkBody(schema, '{"__proto__":"x","toString":"x","hasOwnProperty":1}'))).toEqual([
    '/constructor /constructor required',
    '/__proto__ /* type',
    '/toString /toString type',
    '/hasOwnProperty /* type',
  ]);
  expect(await checkBody(schema, '{"__proto__":true,"constructor":true}')).toEqual([]);
  expect(
    rulesIn(await checkBody({ $ref: '#/components/schemas/a' }, '{}', { schemas: { a: { required: ['valueOf'] } } })),
  ).toEqual(['/valueOf /valueOf required']);
});

test('numbers are compared exactly', async () => {
  const int64 = { type: 'integer', format: 'int64' };
  expect(await checkBody(int64, '9223372036854775807')).toEqual([]);
  expect(rulesIn(await checkBody(int64, '9223372036854775808'))).toEqual(['  format']);
  expect(await checkBody(int64, '-9223372036854775808')).toEqual([]);
  expect(rulesIn(await checkBody(int64, '1e400'))).toEqual(['  format']);
  expect(await checkBody({ type: 'integer' }, '1e400')).toEqual([]);
  expect(await checkBody({ type: 'integer' }, '1.0')).toEqual([]);
  expect(rulesIn(await checkBody({ type: 'integer' }, '1.00000000000000000001'))).toEqual(['  type']);
  for (const [divisor, text] of [
    [0.01, '19.99'],
    [0.01, '4.35'],
    [0.1, '1e22'],
    [3, '30000000000000000000003'],
    [1e-7, '0.0000123'],
  ]) {
    expect(await checkBody({ multipleOf: divisor }, String(text))).toEqual([]);
  }
  for (const [divisor, text] of [
    [0.01, '19.999'],
    [3, '30000000000000000000004'],
    [0.5, '1e-999999999'],
  ]) {
    expect(rulesIn(await checkBody({ multipleOf: divisor }, String(text)))).toEqual(['  multipleOf']);
  }
  expect(rulesIn(await checkBody({ uniqueItems: true }, '[1,{"a":1,"b":2.50},{"b":25e-1,"a":1.0}]'))).toEqual([
    '  uniqueItems',
  ]);
  expect(await checkBody({ uniqueItems: true }, '[1,true,"1",[1],{"1":1},9007199254740993,9007199254740992]')).toEqual(
    [],
  );
});

test('properties that are readOnly are allowed, and never required', async () => {
  const components = {
    schemas: {
      Id: { type: 'integer', readOnly: true },
      Base: { properties: { id: { $ref: '#/components/schemas/Id' }, name: { type: 'string' } } },
      Pet: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id', 'name'] }] },
    },
  };
  const schema = { $ref: '#/components/schemas/Pet' };
  expect(await checkBody(schema, '{"name":"x"}', components)).toEqual([]);
  expect(await checkBody(schema, '{"id":1,"name":"x"}', components)).toEqual([]);
  expect(rulesIn(await checkBody(schema, '{"id":"x"}', components))).toEqual(['/id /id type', '/name /name required']);
});

test('schemas of OpenAPI 3.0 are checked by the rules of that version', async () => {
  const schema = {
    properties: {
      a: { type: 'string', nullable: true, enum: ['x'] },
      b: { type: 'integer', minimum: 5, exclusiveMinimum: true },
      c: { $ref: '#/components/schemas/C', maxLength: 1 },
      d: { allOf: [{ $ref: '#/components/schemas/C' }], nullable: true },
    },
  };
  const components = { schemas: { C: { type: 'string' } } };
  expect(await checkBody(schema, '{"a":null,"b":6,"c":"long","d":null}', components, '3.0.3')).toEqual([]);
  expect(rulesIn(await checkBody(schema, '{"a":"y","b":5,"c":null,"d":1}', components, '3.0.3'))).toEqual([
    '/a /a enum',
    '/b /b exclusiveMinimum',
    '/c /c type',
    '/d /d type',
  ]);
});

test('if only one alternative has the type of the value, its violations are reported', async () => {
  const schema = { anyOf: [{ type: 'object', required: ['a'] }, { type: 'null' }] };
  expect(rulesIn(await checkBody(schema, '{}'))).toEqual(['/a /a required']);
  expect(rulesIn(await checkBody(schema, '1'))).toEqual(['  anyOf']);
});

test('a body must have one of the declared content types', async () => {
  const content = {
    'application/json': { schema: { type: 'object' } },
    'text/*': {},
    'application/merge-patch+json': {},
  };
  const paths = { '/x': { post: { operationId: 'x', requestBody: { content } }, get: { operationId: 'y' } } };
  const validator = await loadValidator(paths);
  const head = { query: '', pathParameters: new Map<string, string>(), hasBody: true };
  const check = (...rawHeaders: string[]) => validator.forOperation('a.x').checkHead({ ...head, rawHeaders });
  expect(check('Content-Type', 'Application/JSON ; charset=utf-8')).toEqual([]);
  expect(check('Content-Type', 'text/csv')).toEqual([]);
  const fault = { path: '/header/Content-Type', rulePath: '/header/Content-Type', rule: 'content_type' };
  const message = 'must be one of application/json, text/*, application/merge-patch+json';
  expect(check('Content-Type', 'application/xml')).toEqual([{ ...fault, message }]);
  expect(check()).toEqual([{ ...fault, message }]);
  expect(check('Content-Type', 'text/a', 'content-type', 'text/b')).toMatchObject([fault]);
  expect(validator.forOperation('a.x').checkHead({ ...head, rawHeaders: [], hasBody: false })).toEqual([]);
  expect(validator.forOperation('a.y').checkHead({ ...head, rawHeaders: [] })).toEqual([]);
  const types = ['text/csv', 'application/merge-patch+json', 'application/x-ndjson'];
  expect(types.map((type) => validator.forOperation('a.x').bodyCheck(type))).toEqual([null, null, null]);
  expect(() => validator.forOperation('a.z')).toThrow('the document has no operation a.z');
});

test('schemas that cannot be checked are reported when the document is loaded', async () => {
  const post = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
  const get = (parameter: object) => ({ parameters: [{ name: 'p', ...parameter }] });
  const validator = await loadValidator(
    {
      '/pattern': { post: post({ items: { $ref: '#/components/schemas/A' } }) },
      '/loop': { post: post({ $ref: '#/components/schemas/Loop' }) },
      '/list': { post: post({ $ref: '#/components/schemas/List' }) },
      '/style': { get: get({ in: 'header', style: 'form', schema: {} }) },
      '/keyword': { get: get({ in: 'query', schema: { minimum: '3' } }) },
      '/remote': { post: post({ properties: { 'a/b': { $ref: 'other.json' } } }) },
      '/missing': { post: post({ $ref: '#/components/schemas/constructor' }) },
      '/unused': { post: post({ $defs: { a: { pattern: '(' } } }) },
    },
    {
      schemas: {
        A: { not: { pattern: String.raw`(a)\1` } },
        Loop: { allOf: [{ properties: {} }, { anyOf: [{ $ref: '#/components/schemas/Loop' }] }] },
        List: { properties: { next: { $ref: '#/components/schemas/List' } } },
      },
    },
  );
  expect(validator.unchecked).toEqual(
    [
      {
        operationId: 'a.POST /v1/pattern',
        pointer: '/components/schemas/A/not/pattern',
        reason: expect.stringContaining('cannot be matched in linear time'),
      },
      {
        operationId: 'a.POST /v1/loop',
        pointer: expect.any(String),
        reason: 'is a schema that applies itself to the same value',
      },
      {
        operationId: 'a.GET /v1/style',
        pointer: '/paths/~1style/get/parameters/0',
        reason: 'must have one of the styles simple',
      },
      {
        operationId: 'a.GET /v1/keyword',
        pointer: '/paths/~1keyword/get/parameters/0/schema/minimum',
        reason: 'must be a number',
      },
      {
        operationId: 'a.POST /v1/remote',
        pointer: '/paths/~1remote/post/requestBody/content/application~1json/schema/properties/a~1b/$ref',
        reason: expect.stringContaining('refers to other.json'),
      },
      {
        operationId: 'a.POST /v1/missing',
        pointer: '/paths/~1missing/post/requestBody/content/application~1json/schema/$ref',
        reason: expect.stringContaining('which does not exist'),
      },
    ].map((one) => ({ ...one, operationId: one.operationId.replace('a.', '') })),
  );
  expect(validator.forOperation('POST /v1/loop').bodyCheck('application/json')).toBeNull();
});

test('each kind of fault is found if it is the only one in the document', async () => {
  const schemas = {
    Loop: { allOf: [{ properties: {} }, { anyOf: [{ $ref: '#/components/schemas/Other' }] }] },
    Other: { not: { $ref: '#/components/schemas/Loop' } },
    List: { properties: { next: { $ref: '#/components/schemas/List' } }, items: { $ref: '#/components/schemas/List' } },
    Deep: { items: { additionalProperties: { patternProperties: { '(a)\\1': {} } } } },
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const countFaults = async (schema: unknown, openapi = '3.1.0') => {
    const paths = operationWith(schema as object);
    return (await loadValidator(paths, { schemas }, openapi)).unchecked.length;
  };
  const faulty = [
    ref('Loop'),
    { items: ref('Other') },
    { properties: { a: { prefixItems: [true, ref('Deep')] } } },
    ref('constructor'),
    { $ref: 'other.json' },
    { if: { pattern: '(' } },
    { dependentSchemas: { a: { minLength: -1 } } },
    { oneOf: [{ type: 'text' }] },
    { additionalProperties: { $id: 'x' } },
    { contains: { $dynamicRef: '#x' } },
    { items: [{}] },
    { exclusiveMinimum: true },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    { unevaluatedProperties: 1 },
    { required: true },
  ];
  for (const schema of faulty) expect([schema, await countFaults(schema)]).toEqual([schema, 1]);
  const usable = [
    ref('List'),
    { $defs: { a: { pattern: '(' } } },
    { dependencies: { a: { minLength: -1 } } },
    { properties: { a: { description: 1, default: { pattern: '(' }, examples: [{ $ref: 'x' }] } } },
    { anyOf: [ref('List'), ref('List')], exclusiveMinimum: 1, items: false },
  ];
  for (const schema of usable) expect([schema, await countFaults(schema)]).toEqual([schema, 0]);
  const faulty30 = [{ dependencies: { a: { minLength: -1 } } }, { not: { exclusiveMinimum: 'x' } }];
  for (const schema of faulty30) expect([schema, await countFaults(schema, '3.0.3')]).toEqual([schema, 1]);
  const usable30 = [{ dependencies: { a: ['b'] } }, { exclusiveMinimum: true }, { ...ref('List'), pattern: '(' }];
  for (const schema of usable30) expect([schema, await countFaults(schema, '3.0.3')]).toEqual([schema, 0]);
});
