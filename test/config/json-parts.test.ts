import { expect, test } from '@jest/globals';
import { joinJson, PART_LENGTH, splitJson } from '../../src/config/json-parts.ts';

const many = <T>(count: number, each: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => each(at));

/** Documents that are each large in a different place. */
const LARGE = {
  empty: {},
  small: { a: 1, b: [], c: { d: null, '': 'x' } },
  'an object': { a: 1, entries: Object.fromEntries(many(30_000, (at) => [`k${at}`, at])), z: true },
  'a list': { list: many(100_000, (at) => at % 7) },
  'lists in lists': { list: many(20, () => many(5000, (at) => ({ at }))) },
  'one deep place': many(200, (at) => at).reduce<object>((inner, at) => ({ [`a${at}`]: inner }), {
    list: many(50_000, () => ({})),
  }),
  'a long text': { before: 1, text: 'é"\n'.repeat(100_000), after: many(100_000, () => null) },
  'names of methods': { constructor: many(50_000, () => 'a'), toString: { '0': 1, length: 2 } },
  'what JSON cannot express': { none: undefined, list: [undefined, () => 1], call: () => 1, a: 1 },
};

test.each(Object.entries(LARGE))('the JSON of %s is unchanged after it was split and joined', async (_, value) => {
  const parts = splitJson(value);
  expect(JSON.stringify(await joinJson(parts))).toBe(JSON.stringify(value));
  const longest = Math.max(...parts.map(({ json }) => json.length));
  expect(longest).toBeLessThan(PART_LENGTH + ('text' in value ? JSON.stringify(value.text).length : 0) + 100);
});
