import { expect, test } from '@jest/globals';
import type { Key } from '../api/keys.ts';
import { mayBeRequestId, resultsFor } from './search-results.ts';

const key = { id: 'key_1', name: 'Shop & "co"', owner: 'acme', plan: 'pro' } as Key;
const everything = {
  places: [{ label: 'Keys', to: '/keys' }],
  keys: [key],
  plans: [
    {
      id: 'pro',
      name: 'Professional',
      description: '',
      priceText: '',
      limits: null,
      operations: null,
      custom: true,
      mode: 'enforce',
      onStoreFailure: 'local',
    },
  ],
  operations: [],
} as const;

test('matches are grouped by kind', () => {
  expect(resultsFor('acme', everything).map(({ kind, label }) => [kind, label])).toEqual([
    ['Key', 'Shop & "co"'],
    ['Owner', 'acme'],
  ]);
  expect(resultsFor('PROF', everything).map(({ kind }) => kind)).toContain('Plan');
});

test('the screens are listed before anything is typed', () => {
  expect(resultsFor('', { ...everything, keys: [] }).map(({ kind }) => kind)).toEqual(['Screen']);
});

test.each([
  ['0b0f3a52-7a8d-4f43-9a3e-1f3f8a1f4e1b', true],
  ['order-4711.retry_2', true],
  ['order-4711.retry:2', false],
  ['key_zh3q4XDbm1NAs5NvTGuj', false],
  ['two words', false],
  ['short', false],
])('%s may be a request id: %s', (text, may) => {
  expect(mayBeRequestId(text)).toBe(may);
});
