import { expect, test } from '@jest/globals';
import { findDifferences, formatValue } from './audit-diff.ts';

test('changes are listed by field, nested ones by their path', () => {
  expect(
    findDifferences({ plan: 'free', limits: null }, { plan: 'enterprise', limits: { minute: 10, day: 20 } }),
  ).toEqual([
    { field: 'plan', before: 'free', after: 'enterprise' },
    { field: 'limits.minute', before: undefined, after: 10 },
    { field: 'limits.day', before: undefined, after: 20 },
  ]);
});

test('for new objects, empty and redundant fields are omitted', () => {
  const made = {
    id: 'key_1',
    name: 'Shop',
    limits: null,
    metadata: {},
    description: '',
    createdAt: '2026-01-01T00:00:00Z',
  };
  expect(findDifferences(null, made)).toEqual([{ field: 'name', before: undefined, after: 'Shop' }]);
});

test('times are shown to the minute', () => {
  expect(formatValue('2026-11-21T23:15:50.814Z')).toBe('2026-11-21 23:15 UTC');
});

test('a removed value is shown', () => {
  expect(findDifferences({ expiresAt: '2027-01-01' }, { expiresAt: null })).toEqual([
    { field: 'expiresAt', before: '2027-01-01', after: null },
  ]);
  expect([formatValue(null), formatValue(''), formatValue('<b>'), formatValue(false), formatValue([1])]).toEqual([
    'none',
    'none',
    '<b>',
    'false',
    '[1]',
  ]);
});
