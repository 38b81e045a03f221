import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { operationsOf, positionOf, readReference } from './reference.ts';
import { indexFields, searchOperations } from './search.ts';

const config = join(import.meta.dirname, '../../../../config');
const petstore = readReference(parse(readFileSync(join(config, 'petstore.openapi.yaml'), 'utf8')) as object as never);
const operation = (id: string) => operationsOf(petstore).find((each) => each.id === id);

test('operations are grouped by tag, in document order', () => {
  expect(petstore.services.map(({ title, version }) => [title, version])).toEqual([['Pet Store', '1.0.0']]);
  const [{ groups } = { groups: [] }] = petstore.services;
  expect(groups.map(({ name, description }) => [name, description])).toEqual([
    ['pets', 'Pets offered for sale'],
    ['categories', 'Kinds of pets'],
    ['orders', 'Orders for pets'],
    ['inventory', 'Stock, one entry for each pet (beta)'],
  ]);
  expect(groups[0]?.operations.map(({ id }) => id)).toContain('listPets');
});

test('the lifecycle of an operation is read', () => {
  expect(operation('getPet')?.lifecycle).toEqual({
    deprecated: true,
    deprecatedAt: '2026-11-01T00:00:00Z',
    sunsetAt: '2027-12-31',
    successor: '/pets?id={petId}',
    link: '/_gateway/openapi.json',
    brownouts: [],
    stability: null,
  });
});

test('path parameters apply to all methods', () => {
  expect(operation('deletePet')?.parameters).toMatchObject([{ name: 'petId', in: 'path', required: true, example: 1 }]);
});

test('responses have their headers and named examples', () => {
  const refused = operation('listPets')?.answers.find(({ status }) => status === '401');
  expect(refused?.headers.map(({ name }) => name)).toContain('WWW-Authenticate');
  expect(refused?.media[0]?.examples.map(({ name }) => name)).toContain('key_missing');
});

test.each([
  ['get pet', 'getPet'],
  ['/store/order', 'createOrder'],
  ['cursor pets', 'listPets'],
])('a search for %j finds %s', (text, id) => {
  for (const _ of indexFields(petstore));
  expect(searchOperations(petstore, text).map(({ operation: { id: found } }) => found)).toContain(id);
});

const named = (summary: string, path: string, more: object = {}) => ({ [path]: { post: { summary, ...more } } });
const repositories = readReference({
  paths: {
    ...named('Check if immutable releases are enabled', '/repos/{repo}/immutable-releases'),
    ...named('Create a release', '/repos/{repo}/releases'),
    ...named('List the assets of a release', '/repos/{repo}/releases/{id}/assets', { description: 'Create a release' }),
    ...named('Create an autolink', '/autolinks', {
      requestBody: { content: { 'application/json': { schema: { properties: { isReleased: {} } } } } },
    }),
  },
});
for (const _ of indexFields(repositories));

test.each(['release', 'create release', 'Create a release', 'releases'])('the best result for %j is first', (text) => {
  const [best] = searchOperations(repositories, text);
  expect(best).toMatchObject({ operation: { summary: 'Create a release' }, at: null });
});

test('an operation is found by a field, whose place is known', () => {
  const found = searchOperations(repositories, 'released');
  expect(found.at(-1)).toMatchObject({ operation: { path: '/autolinks' }, at: 'body.isReleased' });
});

test('operations of several services are in sections of their own, also with the same tag', () => {
  const get = { tags: ['pets'], responses: {} };
  const reference = readReference({
    info: { title: 'API' },
    'x-tollgate-services': [
      { name: 'one', title: 'One', description: 'First', tags: [{ name: 'pets', description: 'Animals' }] },
      { name: 'two', title: 'Two', tags: [{ name: 'pets', description: 'Plants' }] },
      { name: 'none', title: 'Without operations' },
    ],
    paths: {
      '/_gateway/usage': { get },
      '/b': { 'x-tollgate-service': 'two', get: { ...get, operationId: 'b' } },
      '/a': { 'x-tollgate-service': 'one', get },
    },
  });
  expect(
    reference.services.map(({ title, description, groups }) => [title, description, groups[0]?.description]),
  ).toEqual([
    ['One', 'First', 'Animals'],
    ['Two', null, 'Plants'],
    ['Gateway', expect.any(String), null],
  ]);
  expect(positionOf(reference, 'b')).toMatchObject({
    service: { name: 'two' },
    group: { name: 'pets' },
    previous: { path: '/a' },
    next: { path: '/_gateway/usage' },
  });
  expect(positionOf(reference, 'c')).toBeUndefined();
});

test('a search without matches finds nothing', () => {
  expect(searchOperations(petstore, 'pets zebra')).toEqual([]);
});

test('a document may contain anything', () => {
  const { services } = readReference({
    paths: {
      '/a': {
        get: null,
        post: { tags: 'no list', security: [{}], responses: [] },
        parameters: [{ $ref: '#/nowhere' }],
      },
      '/b': { $ref: '#/components/pathItems/Round' },
    },
    components: { pathItems: { Round: { $ref: '#/components/pathItems/Round' } } },
  });
  const operations = [{ id: 'GET /a' }, { id: 'POST /a', needsKey: false, answers: [], parameters: [{ name: '' }] }];
  expect(services).toMatchObject([{ title: 'API', groups: [{ name: 'Other', operations }] }]);
});

test('credentials of the service are shown beside the key', () => {
  const read = (security: unknown) =>
    operationsOf(
      readReference({
        security: [{ ApiKey: [] }],
        paths: { '/a': { get: { security } } },
        components: {
          securitySchemes: {
            ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
            token: { type: 'http', scheme: 'basic', description: 'Ask us.' },
            session: { type: 'apiKey', in: 'cookie', name: 'session' },
            login: { type: 'oauth2' },
          },
        },
      }),
    )[0]?.serviceCredentials;
  expect(read(undefined)).toEqual([]);
  expect(read([{}, { ApiKey: [] }])).toEqual([]);
  expect(
    read([
      { ApiKey: [], token: [] },
      { ApiKey: [], session: [], login: ['read'] },
    ]),
  ).toEqual([
    [{ name: 'token', how: 'header Authorization: Basic', scopes: [], description: 'Ask us.' }],
    [
      { name: 'session', how: 'cookie session', scopes: [], description: null },
      {
        name: 'login',
        how: 'header Authorization: Bearer, a token from OAuth or OpenID Connect',
        scopes: ['read'],
        description: null,
      },
    ],
  ]);
  expect(read([{ odd: 1 }, 'nothing'])).toEqual([
    [{ name: 'odd', how: expect.any(String), scopes: [], description: null }],
    [],
  ]);
});

// A page that turned one of them into text stopped with an error.
test('names that are not text are ignored', () => {
  const odd = { toString: 1, valueOf: 2 };
  const get = { tags: [odd], parameters: [{ name: odd, in: odd }], 'x-brownouts': [{ from: odd, to: odd }] };
  const [operation] = operationsOf(readReference({ tags: [{ name: odd }], paths: { '/a': { get } } }));
  expect(operation).toMatchObject({
    parameters: [{ name: '', in: 'query' }],
    lifecycle: { brownouts: [{ from: '' }] },
  });
});
