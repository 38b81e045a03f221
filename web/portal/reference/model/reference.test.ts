import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ApiDocument, type JsonObject } from './document.ts';
import type { ListedOperation } from './listed-operation.ts';
import type { Operation } from './operation.ts';
import { operationsOf, findPosition, readReference } from './reference.ts';
import { readOperationPart } from './operation-part.ts';
import { findFieldPlace } from './field-place.ts';
import { searchOperations } from './search.ts';

const config = join(import.meta.dirname, '../../../../config');
const document = parse(readFileSync(join(config, 'petstore.openapi.yaml'), 'utf8')) as JsonObject;
const petstore = readReference(document);
const listed = (id: string) => operationsOf(petstore).find((each) => each.id === id);
const operation = (id: string) => operationIn(document, listed(id)!);

function operationIn(value: JsonObject, found: ListedOperation): Operation {
  return readOperationPart(value, found).operation;
}

function firstIn(value: JsonObject): Operation {
  return operationIn(value, operationsOf(readReference(value))[0]!);
}

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

test('a group is titled by the display name of its tag, or else by the tag with its first letter in upper case', () => {
  const tags = [{ name: 'pets' }, { name: 'orders', 'x-displayName': 'Your orders' }, { name: 'iOS' }];
  const paths = Object.fromEntries(
    [...tags, { name: 'tills' }].map(({ name }) => [`/${name}`, { get: { tags: [name], responses: {} } }]),
  );
  const [service] = readReference({ openapi: '3.1.0', info: {}, tags, paths }).services;
  expect(service?.groups.map(({ title }) => title)).toEqual(['Pets', 'Your orders', 'iOS', 'Tills']);
});

test('the lifecycle of an operation is read', () => {
  expect(listed('getPet')?.lifecycle).toEqual({
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
  expect(operation('deletePet').parameters).toMatchObject([{ name: 'petId', in: 'path', required: true, example: 1 }]);
});

test('responses have their headers and named examples', () => {
  const refused = operation('listPets').responses.find(({ status }) => status === '401');
  expect(refused?.headers.map(({ name }) => name)).toContain('WWW-Authenticate');
  expect(refused?.media[0]?.examples.map(({ name }) => name)).toContain('key_missing');
});

test.each([
  ['get pet', 'getPet'],
  ['/store/order', 'createOrder'],
  ['cursor pets', 'listPets'],
])('a search for %j finds %s', (text, id) => {
  const index = { operations: ['listPets'], descriptions: ['Pages.'], fields: { cursor: [0] } };
  expect(searchOperations(petstore, text, index).map(({ operation: { id: found } }) => found)).toContain(id);
});

const named = (summary: string, path: string, more: object = {}) => ({ [path]: { post: { summary, ...more } } });
const repositories = readReference({
  paths: {
    ...named('Check if immutable releases are enabled', '/repos/{repo}/immutable-releases'),
    ...named('Create a release', '/repos/{repo}/releases'),
    ...named('List the assets of a release', '/repos/{repo}/releases/{id}/assets'),
    ...named('Create an autolink', '/autolinks'),
  },
});
const searchIndex = {
  operations: ['POST /repos/{repo}/releases/{id}/assets', 'POST /autolinks'],
  descriptions: ['Create a release', ''],
  fields: { isReleased: [1] },
};

test.each(['release', 'create release', 'Create a release', 'releases'])('the best result for %j is first', (text) => {
  const [best] = searchOperations(repositories, text, searchIndex);
  expect(best).toMatchObject({ operation: { summary: 'Create a release' }, field: null });
});

test('an operation is found by its name, and by a field once the index is loaded', () => {
  expect(searchOperations(repositories, 'released', searchIndex).at(-1)).toMatchObject({
    operation: { path: '/autolinks' },
    field: 'isReleased',
  });
  expect(searchOperations(repositories, 'autolink', undefined)).toHaveLength(1);
});

test('operations with the same field are in the order in which the gateway lists them for it', () => {
  const fields = { tag_name: [3, 0, 2] };
  const operations = operationsOf(repositories).map(({ id }) => id);
  const found = searchOperations(repositories, 'tag_name', { operations, descriptions: [], fields });
  expect(found.map(({ operation: { id } }) => operations.indexOf(id))).toEqual([3, 0, 2]);
});

test('the outermost place of a field is found, in any part of an operation', () => {
  const schema = { properties: { a: { items: { properties: { name: {} } } }, b: { properties: { name: {}, c: {} } } } };
  const value = {
    paths: {
      '/a': {
        get: {
          parameters: [{ name: 'limit', in: 'query' }],
          responses: { 200: { content: { 'application/json': { schema } } } },
        },
      },
    },
  };
  const findPlace = (name: string) => findFieldPlace(new ApiDocument(value), firstIn(value), name);
  expect(findPlace('limit')).toBe('parameters.query.limit');
  expect(findPlace('name')).toBe('answer-200.b.name');
  expect(findPlace('nothing')).toBeUndefined();
});

test('a search for a field in schemas without an end stops', () => {
  const ref = { $ref: '#/components/schemas/Wide' };
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, ref]));
  const value = {
    paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema: ref } } } } } },
    components: { schemas: { Wide: { properties } } },
  };
  expect(findFieldPlace(new ApiDocument(value), firstIn(value), 'nothing')).toBeUndefined();
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
      '/b': { get: { ...get, operationId: 'b', 'x-tollgate-service': 'two' } },
      '/a': { get: { ...get, 'x-tollgate-service': 'one' }, put: { ...get, 'x-tollgate-service': 'two' } },
    },
  });
  expect(
    reference.services.map(({ title, description, groups }) => [title, description, groups[0]?.description]),
  ).toEqual([
    ['One', 'First', 'Animals'],
    ['Two', null, 'Plants'],
    ['Gateway', expect.any(String), null],
  ]);
  expect(findPosition(reference, 'b')).toMatchObject({
    service: { name: 'two' },
    group: { name: 'pets' },
    previous: { path: '/a' },
    next: { path: '/a' },
  });
  // Both services have the same path with different methods.
  const paths = reference.services.map(({ groups }) => groups.flatMap(({ operations }) => operations.length));
  expect(paths).toEqual([[1], [2], [1]]);
  expect(findPosition(reference, 'c')).toBeUndefined();
});

test('a search without matches finds nothing', () => {
  expect(searchOperations(petstore, 'pets zebra', undefined)).toEqual([]);
});

test('a document may contain anything', () => {
  const value = {
    paths: {
      '/a': {
        get: null,
        post: { tags: 'no list', security: [{}], responses: [] },
        parameters: [{ $ref: '#/nowhere' }],
      },
      '/b': { $ref: '#/components/pathItems/Round' },
    },
    components: { pathItems: { Round: { $ref: '#/components/pathItems/Round' } } },
  };
  const reference = readReference(value);
  const operations = [{ id: 'GET /a' }, { id: 'POST /a', needsKey: false }];
  expect(operationIn(value, reference.operations[1]!)).toMatchObject({ responses: [], parameters: [{ name: '' }] });
  expect(reference.services).toMatchObject([{ title: 'API', groups: [{ name: 'Other', operations }] }]);
});

test('credentials of the service are shown beside the key', () => {
  const read = (security: unknown) =>
    firstIn({
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
    }).serviceCredentials;
  expect(read(undefined)).toEqual([]);
  expect(read([{}, { ApiKey: [] }])).toEqual([]);
  // The alternative with an access token needs no key, and no credential of the service.
  expect(read([{}, { ApiKey: [] }, { AccessToken: [] }])).toEqual([]);
  expect(read([{ ApiKey: [], session: [] }, { AccessToken: ['read'] }])).toHaveLength(1);
  expect(
    read([
      { ApiKey: [], token: [] },
      { ApiKey: [], session: [], login: ['read'] },
    ]),
  ).toEqual([
    [
      {
        name: 'token',
        isFromProvider: false,
        place: 'header',
        sentAs: 'Authorization: Basic',
        scopes: [],
        description: 'Ask us.',
      },
    ],
    [
      { name: 'session', isFromProvider: false, place: 'cookie', sentAs: 'session', scopes: [], description: null },
      {
        name: 'login',
        isFromProvider: true,
        place: 'header',
        sentAs: 'Authorization: Bearer',
        scopes: ['read'],
        description: null,
      },
    ],
  ]);
  expect(read([{ odd: 1 }, 'nothing'])).toEqual([
    [expect.objectContaining({ name: 'odd', scopes: [], description: null })],
    [],
  ]);
});

test('access tokens are shown as an alternative to the key', () => {
  const read = (security: unknown) =>
    firstIn({
      security: [{ ApiKey: [] }, { AccessToken: [] }],
      paths: { '/a': { get: { security } } },
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          AccessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Issued by us.' },
          session: { type: 'apiKey', in: 'cookie', name: 'session' },
        },
      },
    }).tokenAlternatives;
  const token = {
    name: 'AccessToken',
    isFromProvider: false,
    place: 'header',
    sentAs: 'Authorization: Bearer',
    scopes: [],
    description: 'Issued by us.',
  };
  expect(read(undefined)).toEqual([[token]]);
  expect(read([{ ApiKey: [] }, { AccessToken: ['read'] }, { AccessToken: ['admin'], session: [] }])).toEqual([
    [{ ...token, scopes: ['read'] }],
    [{ ...token, scopes: ['admin'] }, expect.objectContaining({ name: 'session', place: 'cookie' })],
  ]);
  expect(read([{ ApiKey: [] }])).toEqual([]);
});

// The page once failed when it converted such names to text.
test('names that are not text are ignored', () => {
  const odd = { toString: 1, valueOf: 2 };
  const get = { tags: [odd], parameters: [{ name: odd, in: odd }], 'x-brownouts': [{ from: odd, to: odd }] };
  expect(firstIn({ tags: [{ name: odd }], paths: { '/a': { get } } })).toMatchObject({
    parameters: [{ name: '', in: 'query' }],
    lifecycle: { brownouts: [{ from: '' }] },
  });
});
