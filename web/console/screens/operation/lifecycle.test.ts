import { expect, test } from '@jest/globals';
import type { Operation } from '../../api/operations.ts';
import { listMoments } from './lifecycle.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const none: Operation['lifecycle'] = {
  deprecated: false,
  deprecatedAt: null,
  sunsetAt: null,
  brownouts: [],
  stability: 'stable',
  successor: null,
  deprecationLink: null,
};

test('the present is placed between past and future dates', () => {
  const lifecycle = {
    ...none,
    deprecatedAt: '2026-01-01T00:00:00Z',
    sunsetAt: '2027-01-01T00:00:00Z',
    brownouts: [{ from: '2026-12-01T00:00:00Z', to: '2026-12-01T01:00:00Z' }],
  };
  expect(listMoments(lifecycle, NOW).map(({ what }) => what)).toEqual([
    'Deprecated',
    'Now',
    'Temporarily switched off',
    'Back',
    'Sunset',
  ]);
});

test('an operation without dates has no timeline', () => {
  expect(listMoments(none, NOW)).toEqual([]);
});
