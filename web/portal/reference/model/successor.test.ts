import { expect, test } from '@jest/globals';
import { operationsOf, readReference } from './reference.ts';
import { findSuccessor } from './successor.ts';

const operations = operationsOf(
  readReference({
    paths: {
      '/pets': { get: { operationId: 'listPets' }, post: { operationId: 'createPet' } },
      '/orders': { post: { operationId: 'createOrder' } },
    },
  }),
);

test.each([
  ['GET', '/pets?id={petId}', 'listPets'],
  ['POST', '/pets', 'createPet'],
  ['GET', '/orders', 'createOrder'],
  ['GET', '/pets/{petId}', undefined],
  ['GET', 'https://elsewhere.example/pets', undefined],
])('%s %s means %s', (method, successor, id) => {
  expect(findSuccessor(operations, method, successor)?.id).toBe(id);
});
