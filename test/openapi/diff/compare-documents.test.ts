import { expect, test } from '@jest/globals';
import { compareFields, listLines } from './compare.ts';

const ok = { responses: { 200: { description: 'fine' } } };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const returning = (schema: object) => ({ responses: { 200: { description: 'fine', ...json(schema) } } });
const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string', maxLength: 50 } },
};

test('removed and added operations are named by method and path', () => {
  const before = {
    paths: { '/pets': { get: ok, post: ok }, '/pets/{id}': { get: { operationId: 'showPet', ...ok } } },
  };
  const after = { paths: { '/pets': { get: ok }, '/pets/{petId}/toys': { get: ok } } };
  const comparison = compareFields(before, after);
  expect(comparison).toEqual({
    incomplete: null,
    changes: [
      {
        kind: 'operation_removed',
        severity: 'breaking',
        operation: { id: 'POST /pets', method: 'POST', path: '/pets' },
        pointer: '/paths/~1pets/post',
        message: 'POST /pets was removed',
      },
      {
        kind: 'operation_removed',
        severity: 'breaking',
        operation: { id: 'showPet', method: 'GET', path: '/pets/{id}' },
        pointer: '/paths/~1pets~1{id}/get',
        message: 'GET /pets/{id} was removed',
      },
      {
        kind: 'operation_added',
        severity: 'compatible',
        operation: { id: 'GET /pets/{petId}/toys', method: 'GET', path: '/pets/{petId}/toys' },
        pointer: '/paths/~1pets~1{petId}~1toys/get',
        message: 'GET /pets/{petId}/toys is new',
      },
    ],
  });
});

test('a changed field is breaking only for callers who send it, or only for callers who receive it', () => {
  const longer = { ...pet, properties: { ...pet.properties, name: { type: 'string', maxLength: 80 } } };
  const paths = (schema: object) => ({
    paths: { '/pets': { get: returning(schema), put: { requestBody: json(schema), ...ok } } },
  });
  expect(listLines(compareFields(paths(pet), paths(longer)))).toEqual([
    'breaking: GET /pets: The field name of the response 200 must have at most 80 characters now (before: at most 50 characters)',
    'compatible: PUT /pets: The field name of the request body must have at most 80 characters now (before: at most 50 characters)',
  ]);
});

test('a schema that contains itself is compared once', () => {
  const paths = { '/pets': { get: returning({ $ref: '#/components/schemas/Pet' }) } };
  const schemas = (name: object) => ({
    schemas: {
      Pet: {
        type: 'object',
        properties: {
          name,
          mother: { $ref: '#/components/schemas/Pet' },
          litter: { $ref: '#/components/schemas/Pets' },
        },
      },
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    },
  });
  const comparison = compareFields(
    { paths, components: schemas({ type: 'string' }) },
    { paths, components: schemas({ type: 'integer' }) },
  );
  expect(listLines(comparison)).toEqual([
    'breaking: GET /pets: The field name of the response 200 can now be a whole number (before: text)',
  ]);
});
