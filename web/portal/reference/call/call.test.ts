import { expect, test } from '@jest/globals';
import { buildCall, type CallValues } from './call.ts';
import { ApiDocument } from '../model/document.ts';
import { createFirstValues } from './first-values.ts';
import { createSentBody } from './sent-body.ts';
import { readOperation } from '../model/operation.ts';

const document = new ApiDocument({});
const operationWith = (parameters: object[], more: object = {}) =>
  readOperation(document, 'get', '/pets/{petId}', { get: { parameters, ...more } });
const path = { name: 'petId', in: 'path', schema: { type: 'string' } };

function sent(parameters: object[], values: Record<string, string>, more: Partial<CallValues> = {}) {
  return buildCall(operationWith(parameters), { mediaType: null, body: '', form: {}, parameters: values, ...more });
}

test.each([
  [path, { 'path petId': 'a/b ü' }, '/pets/a%2Fb%20%C3%BC'],
  [{ ...path, style: 'matrix' }, { 'path petId': '1\n2' }, '/pets/;petId=1,2'],
  [{ name: 'id', in: 'query' }, { 'query id': '1\n2' }, '/pets/{petId}?id=1&id=2'],
  [{ name: 'id', in: 'query', explode: false }, { 'query id': '1\n2' }, '/pets/{petId}?id=1,2'],
  [{ name: 'id', in: 'query', style: 'pipeDelimited' }, { 'query id': '1\n2' }, '/pets/{petId}?id=1%7C2'],
  [
    { name: 'at', in: 'query', style: 'deepObject', schema: { type: 'object' } },
    { 'query at': '{"x":1,"y z":"&"}' },
    '/pets/{petId}?at%5Bx%5D=1&at%5By%20z%5D=%26',
  ],
  [
    { name: 'at', in: 'query', schema: { properties: { x: {} } } },
    { 'query at': '{"x":9007199254740993,"y":{"z":[9007199254740993]}}' },
    '/pets/{petId}?x=9007199254740993&y=%7B%22z%22%3A%5B9007199254740993%5D%7D',
  ],
  [
    { name: 'at', in: 'query', schema: { oneOf: [{ type: 'string' }, { type: 'object' }] } },
    { 'query at': '{"x":1}' },
    '/pets/{petId}?x=1',
  ],
  [{ name: 'at', in: 'query', style: 'deepObject' }, { 'query at': '{"x":1}' }, '/pets/{petId}?at%5Bx%5D=1'],
  // The schema says that the parameter is text, so text that looks like an object stays text.
  [
    { name: 'q', in: 'query', schema: { type: 'string' } },
    { 'query q': '{"x":1}' },
    '/pets/{petId}?q=%7B%22x%22%3A1%7D',
  ],
  [
    { name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    { 'query q': '{\n  "x": 9007199254740993\n}' },
    '/pets/{petId}?q=%7B%0A%20%20%22x%22%3A%209007199254740993%0A%7D',
  ],
  [{ name: 'id', in: 'query' }, {}, '/pets/{petId}'],
])('the parameter %j with the values %j is part of the path and query', (parameter, values, expected) => {
  expect(sent([parameter], values as unknown as Record<string, string>).path).toBe(expected);
});

test('a parameter that spans slashes keeps them where it is the whole last segment', () => {
  const marked = { name: 'path', in: 'path', 'x-multi-segment': true, schema: { type: 'string' } };
  const filled = (template: string) => {
    const operation = readOperation(document, 'get', template, { get: { parameters: [marked] } });
    const values = { 'path path': 'src/a b/ü%.ts' };
    return buildCall(operation, { mediaType: null, body: '', form: {}, parameters: values }).path;
  };
  expect(filled('/contents/{path}')).toBe('/contents/src/a%20b/%C3%BC%25.ts');
  expect(filled('/contents/{path}/raw')).toBe('/contents/src%2Fa%20b%2F%C3%BC%25.ts/raw');
  expect(filled('/contents/v{path}')).toBe('/contents/vsrc%2Fa%20b%2F%C3%BC%25.ts');
});

test('headers are sent; cookies are separate, for code samples', () => {
  const parameters = [
    { name: 'X-Trace', in: 'header' },
    { name: 'session', in: 'cookie' },
    { name: 'tags', in: 'cookie', explode: false },
    { name: 'none', in: 'cookie' },
  ];
  const call = sent(parameters, { 'header X-Trace': 'on', 'cookie session': 'x; y', 'cookie tags': '1\n2' });
  expect(call.headers).toEqual([['X-Trace', 'on']]);
  expect(call.cookie).toBe('session=x%3B%20y; tags=1,2');
  expect(sent(parameters, {}).cookie).toBeNull();
});

// OpenAPI describes these headers in other places (security, media types, responses), so parameters with their names
// are ignored.
test.each(['Authorization', 'content-type', 'Accept'])('a header parameter called %s is ignored', (name) => {
  expect(operationWith([{ name, in: 'header', required: true }]).parameters).toEqual([]);
});

test('a form starts with the required values', () => {
  const operation = readOperation(document, 'post', '/pets', {
    post: {
      parameters: [
        { name: 'dryRun', in: 'query', required: true, schema: { type: 'boolean' } },
        { name: 'note', in: 'query' },
      ],
      requestBody: {
        content: {
          'text/csv': { example: 'a,b' },
          'application/vnd.pet+json': { schema: { properties: { name: { type: 'string' } } } },
        },
      },
    },
  });
  const values = createFirstValues(document, operation);
  expect(values).toEqual({
    parameters: { 'query dryRun': 'true' },
    mediaType: 'application/vnd.pet+json',
    body: '{\n  "name": "text"\n}',
    form: {},
  });
  expect(buildCall(operation, values)).toEqual({
    method: 'POST',
    path: '/pets?dryRun=true',
    headers: [['Content-Type', 'application/vnd.pet+json']],
    cookie: null,
    body: { kind: 'text', text: '{\n  "name": "text"\n}' },
  });
});

/** Builds the call that the form contains at first, for an operation with the given body. */
function firstCall(type: string, media: object) {
  const operation = readOperation(document, 'post', '/pets', {
    post: { requestBody: { content: { [type]: media } } },
  });
  return buildCall(operation, createFirstValues(document, operation));
}

// This test once found forms that were sent as JSON.
test('forms are filled in field by field', () => {
  const schema = {
    required: ['name', 'tags', 'owner', 'photo', 'meta'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', example: 'Rex & co' },
      tags: { type: 'array', items: { type: 'string' }, example: ['a', 'b'] },
      owner: { type: 'object', example: { id: 1, at: [2] } },
      photo: { type: 'string', format: 'binary' },
      meta: { type: 'string', example: '{}' },
      optional: { type: 'string' },
    },
  };
  const fields = [
    ['name', 'Rex & co'],
    ['tags', 'a'],
    ['tags', 'b'],
    ['owner[id]', '1'],
    ['owner[at]', '2'],
    ['photo', 'photo.bin'],
    ['meta', '{}'],
  ];
  const encoding = { owner: { style: 'deepObject' } };
  expect(firstCall('application/x-www-form-urlencoded', { schema, encoding })).toMatchObject({
    headers: [],
    body: { kind: 'form', fields },
  });
  const typed = { photo: { contentType: 'image/png, image/jpeg' }, meta: { contentType: 'application/json' } };
  expect(firstCall('multipart/form-data', { schema, encoding: typed })).toMatchObject({
    headers: [],
    body: {
      kind: 'multipart',
      parts: [
        { name: 'name', value: 'Rex & co', isFile: false, type: null },
        { name: 'tags', value: 'a' },
        { name: 'tags', value: 'b' },
        { name: 'owner', value: '{\n  "id": 1,\n  "at": [\n    2\n  ]\n}', type: 'application/json' },
        { name: 'photo', value: 'photo.png', isFile: true, type: 'image/png' },
        { name: 'meta', value: '{}', type: 'application/json' },
      ],
    },
  });
});

test.each(['application/octet-stream', 'image/png'])('a body of the type %s is a file', (type) => {
  const call = firstCall(type, { schema: { type: 'string', format: 'binary' } });
  expect(call).toMatchObject({ headers: [['Content-Type', type]], body: { kind: 'file' } });
});

test('a form becomes the bytes that it is sent as', async () => {
  const file = new File([new Uint8Array([0, 255])], 'a.bin');
  const parts = [
    { name: 'photo', value: 'a.bin', isFile: true, type: 'image/png' },
    { name: 'name', value: 'ü', isFile: false, type: null },
  ];
  const buildCall = await createSentBody({ kind: 'multipart', parts }, { photo: file });
  const body = Buffer.from(buildCall.body ?? '', 'base64');
  const form = await new Response(body, { headers: { 'Content-Type': buildCall.contentType ?? '' } }).formData();
  expect([form.get('name'), (form.get('photo') as File).name, (form.get('photo') as File).type]).toEqual([
    'ü',
    'a.bin',
    'image/png',
  ]);
  await expect(createSentBody({ kind: 'multipart', parts }, {})).rejects.toThrow('Choose a file for photo.');
  await expect(createSentBody({ kind: 'form', fields: [['a b', '&']] }, {})).resolves.toMatchObject({
    body: 'a+b=%26',
  });
});

// Separators were once looked up in a plain object, so the style `constructor` found a function, whose source text got
// into the query.
test.each(['constructor', 'toString', 'unknown'])('the style %s is like form', (style) => {
  const parameter = { name: 'id', in: 'query', style, explode: false };
  expect(sent([parameter], { 'query id': '1\n2' }).path).toBe('/pets/{petId}?id=1,2');
});
