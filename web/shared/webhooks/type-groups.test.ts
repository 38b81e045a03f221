import { expect, test } from '@jest/globals';
import { groupTypes, formatTypes } from './type-groups.ts';

const type = (name: string) => ({ name, summary: '' });

test('types are grouped by subject', () => {
  const types = ['key.banned', 'key.created', 'plan.changed', 'plan_request.approved'].map(type);
  expect(groupTypes(types).map(({ name, types: of }) => [name, of.map((each) => each.name)])).toEqual([
    ['Key', ['key.banned', 'key.created']],
    ['Plan', ['plan.changed']],
    ['Plan request', ['plan_request.approved']],
  ]);
});

test.each([
  [['*'], 'every event'],
  [['key.created'], 'key.created'],
  [['key.created', 'key.revoked', 'plan.changed'], 'key.created and 2 more'],
])('%j in words: %s', (types, words) => {
  expect(formatTypes(types)).toBe(words);
});
