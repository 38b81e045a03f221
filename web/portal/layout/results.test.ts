import { expect, test } from '@jest/globals';
import { operationsOf, readReference } from '../reference/model/reference.ts';
import { resultsFor } from './results.ts';

const operations = operationsOf(
  readReference({ paths: { '/pets': { get: { operationId: 'listPets', summary: 'List pets' } } } }),
);
const places = [{ label: 'Keys', to: '/keys' }];
const events = [{ name: 'quota.threshold', summary: 'A window is 80 % used.' }];

test.each([
  ['', ['page /keys']],
  ['key', ['page /keys']],
  ['pets', ['operation listPets']],
  ['Threshold', ['event quota.threshold']],
  ['0f7c1f8e-2a53-4a63-9a3c-6f0a4f4b6f0e', ['request 0f7c1f8e-2a53-4a63-9a3c-6f0a4f4b6f0e']],
  // A secret must not end up in an address.
  ['tg_live_12345678', []],
])('%j finds %j', (text, ids) => {
  expect(resultsFor(text, { places, operations, events }).map(({ id }) => id)).toEqual(ids);
});
