import { expect, test } from '@jest/globals';
import { readSearch, writeSearch } from './search-params.ts';

test.each([{ q: 'shop & co' }, { owner: '"acme"', status: 'active' }, { q: '123' }, { q: 'null' }, {}])(
  'written parameters are read back: %j',
  (search) => {
    expect(readSearch(writeSearch(search))).toEqual(search);
  },
);

test('unset parameters are not in the address', () => {
  expect(writeSearch({ q: '', owner: undefined, plan: 'pro' })).toBe('?plan=pro');
  expect(writeSearch({})).toBe('');
});
