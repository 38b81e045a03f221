import { expect, test } from '@jest/globals';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Faults } from '../../src/base/configuration-faults.ts';
import { valueAt } from '../../src/openapi/pointer.ts';
import { readUpstreamDocument } from '../../src/openapi/upstream-document.ts';
import { root } from '../support/gateway/gateway.ts';
import { createPlans, startReloadingGateway } from '../support/gateway/reloading-gateway.ts';
import { serveHttp } from '../support/services/http-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const examples = join(root, 'node_modules/@readme/oas-examples/2.0');
const files = readdirSync(examples).flatMap((format) =>
  readdirSync(join(examples, format))
    .filter((name) => /\.(?:json|yaml)$/.test(name))
    .map((name) => join(format, name)),
);

test.each(files)('%s is converted, and each operation keeps its place in the file', (file) => {
  const faults = new Faults();
  const { value, operations } = readUpstreamDocument(join(examples, file), {}, faults);
  expect([faults.lines, value['openapi']]).toEqual([[], '3.0.4']);
  for (const { source } of operations) expect(source).toMatch(/\.(?:json|yaml):\d+$/);
  expect(new Set(operations.map(({ source }) => source)).size).toBe(operations.length);
});

function read(text: string, overlay?: string) {
  const folder = tempFolder();
  const [file, overlayFile] = [join(folder.path, 'api.yaml'), join(folder.path, 'overlay.yaml')];
  writeFileSync(file, text);
  if (overlay !== undefined) writeFileSync(overlayFile, overlay);
  const faults = new Faults();
  const document = readUpstreamDocument(file, { overlays: overlay === undefined ? [] : [overlayFile] }, faults);
  folder.remove();
  const lines = faults.lines.map((line) => line.replaceAll(`${folder.path}/`, ''));
  return { ...document, faults: lines };
}

const HEAD = 'swagger: "2.0"\ninfo: { title: Shop, version: "1" }\n';

test('bodies, forms, collections, files, shared parts and credentials are converted', () => {
  const { value, faults, serverPaths } = read(`${HEAD}host: shop.example
basePath: /v1
schemes: [https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  basic: { type: basic }
  app: { type: oauth2, flow: application, tokenUrl: 'https://shop.example/token', scopes: {} }
definitions:
  Pet: { type: object, properties: { name: { type: string, x-nullable: true } } }
parameters:
  pet: { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
  page: { name: page, in: query, type: integer }
responses:
  missing: { description: Not found, schema: { $ref: '#/definitions/Pet' } }
paths:
  /pets:
    x-note: text
    put: { parameters: [{ $ref: '#/parameters/page' }], responses: { 404: { $ref: '#/responses/missing' } } }
    post: { schemes: [https], parameters: [{ $ref: '#/parameters/page' }], responses: {} }
    parameters: [{ $ref: '#/parameters/pet' }]
  /photo:
    get:
      security: []
      x-tollgate-cost: 3
      produces: [image/png]
      parameters: [{ name: ids, in: query, type: array, items: { type: string }, collectionFormat: pipes }]
      responses: { 200: { description: Fine, schema: { type: file } } }
    post:
      consumes: [multipart/form-data]
      parameters:
        - { name: photo, in: formData, type: file, required: true }
        - { name: note, in: formData, type: string }
      responses: {}
`);
  expect(faults).toEqual([]);
  expect(serverPaths).toEqual([{ path: '/v1', place: expect.stringMatching(/api\.yaml:4$/) }]);
  const pet = { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } };
  const item = valueAt(value, ['paths', '/pets']);
  const operation = { parameters: [{ $ref: '#/components/parameters/page' }], requestBody: pet };
  expect(item).toEqual({
    'x-note': 'text',
    parameters: [],
    put: { ...operation, responses: { 404: { $ref: '#/components/responses/missing' } } },
    post: { ...operation, responses: {} },
  });
  expect(valueAt(value, ['paths', '/photo', 'get'])).toMatchObject({
    security: [],
    'x-tollgate-cost': 3,
    parameters: [{ name: 'ids', in: 'query', style: 'pipeDelimited', explode: false, schema: { type: 'array' } }],
    responses: { 200: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } } },
  });
  expect(
    valueAt(value, ['paths', '/photo', 'post', 'requestBody', 'content', 'multipart/form-data', 'schema']),
  ).toEqual({
    type: 'object',
    properties: { photo: { type: 'string', format: 'binary' }, note: { type: 'string' } },
    required: ['photo'],
  });
  expect(value['components']).toMatchObject({
    schemas: { Pet: { properties: { name: { type: 'string', nullable: true } } } },
    parameters: { page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
    responses: { missing: { content: { 'application/json': pet.content['application/json'] } } },
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      app: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://shop.example/token' } } },
    },
  });
});

test.each([
  ['paths:\n  /a:\n    get:\n      x-tollgate-cost: 0\n', 'api.yaml:6: GET /a x-tollgate-cost must be a positive'],
  [
    'paths:\n  /a:\n    get:\n      parameters:\n        - { in: query }\n',
    'api.yaml:7: paths./a.get.parameters[0].name must be text',
  ],
  [
    'paths:\n  /a:\n    get:\n      responses:\n        200: none\n',
    'api.yaml:7: paths./a.get.responses.200 must be a map',
  ],
  ['paths:\n  /a:\n    get: none\n', 'api.yaml:5: GET /a must be a map'],
  ['paths:\n  /a/*: {}\n', 'api.yaml:4: paths /a/* has a wildcard'],
  [
    'parameters:\n  page: { in: nowhere, name: page }\npaths: {}\n',
    'api.yaml:4: parameters.page.in must be one of query',
  ],
  [
    'definitions:\n  A:\n    $ref: "#/definitions/A"\npaths: {}\n',
    'api.yaml:5: definitions.A.$ref "#/definitions/A" is circular',
  ],
  ['definitions: []\npaths: {}\n', 'api.yaml:3: definitions must be a map'],
  ['produces: text\npaths: {}\n', 'api.yaml:3: produces must be a list of media types'],
  [
    'definitions:\n  A:\n    $ref: "#/paths/~1a/get/responses/200/schema"\npaths:\n  /a: { get: { responses: { 200: { schema: { type: string } } } } }\n',
    'api.yaml:5: definitions.A.$ref "#/paths/~1a/get/responses/200/schema" cannot be followed after the conversion',
  ],
  ['x-tollgate-event: true\npaths: {}\n', 'api.yaml:3: x-tollgate-event is unknown at the top'],
  ['', 'api.yaml:1: paths must be a map of paths'],
])('an error in %j is reported with its line in the original file', (text, fault) => {
  expect(read(HEAD + text).faults).toEqual([expect.stringContaining(fault)]);
});

test('a document that would become huge by the conversion is refused', () => {
  const types = Array.from({ length: 50 }, (_, at) => `application/v${at}+json`);
  const schema = { description: 'x'.repeat(1000) };
  const paths = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`/a${at}`, { get: { responses: { 200: { description: 'x', schema } } } }]),
  );
  const [fault] = read(JSON.stringify({ swagger: '2.0', produces: types, paths })).faults;
  expect(fault).toContain('has more than 20 MB of schemas, each counted once for each media type');
  expect(read(stringify({ swagger: '2.0', produces: [...types, 'a/b'], paths: {} })).faults).toEqual([
    expect.stringContaining('produces lists more than 50 media types'),
  ]);
});

test('operations of a converted document can be called, and overlays apply to the original file', async () => {
  const seen: string[] = [];
  const service = await serveHttp((req, res) => {
    req.resume();
    seen.push(`${req.method} ${req.url} ${req.headers['content-type']}`);
    res.end('served');
  });
  const gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 100, day: 1000 }));
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'Ours', version: '1' },
      actions: [
        { target: "$.paths['/pet/{petId}'].post.security", remove: true },
        { target: "$.paths['/pet/{petId}'].post", update: { security: [] } },
        { target: "$.paths['/user']", remove: true },
        { target: '$.definitions.Pet', update: { description: 'A pet.' } },
      ],
    };
    const upstream = { name: 'pets', openapi: join(examples, 'json/petstore.json'), targets: [service.url] };
    return {
      settings: { plans: 'plans.yaml', upstreams: [{ ...upstream, overlays: [write('overlay.json', overlay)] }] },
    };
  });
  const call = (path: string, init?: RequestInit) => fetch(`${gateway.url}${path}`, init);
  const form = { method: 'POST', body: new URLSearchParams({ name: 'Rex' }) };
  expect(await (await call('/pet/1', form)).text()).toBe('served');
  expect((await call('/pet/1')).status).toBe(401);
  expect((await gateway.call('/pet/1')).status).toBe(200);
  expect((await gateway.call('/user', { method: 'POST' })).status).toBe(404);
  expect(seen).toEqual(['POST /pet/1 application/x-www-form-urlencoded;charset=UTF-8', 'GET /pet/1 undefined']);
  const published = await (await gateway.call('/_gateway/openapi.json')).json();
  expect(published).toMatchObject({ openapi: '3.1.0', components: { schemas: { Pet: { description: 'A pet.' } } } });
  await gateway.stop();
  await service.close();
});
