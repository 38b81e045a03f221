import { expect, test } from '@jest/globals';
import { formatPath } from '../../src/base/configuration-faults.ts';
import { readBrownouts } from '../../src/openapi/operation-lifecycle.ts';

function read(value: unknown) {
  const faults: string[] = [];
  const brownouts = readBrownouts(value, (field, what, within = []) =>
    faults.push(`${formatPath([field, ...within])} ${what}`),
  );
  return { brownouts, faults };
}

const december = (from: number, to: number) => ({
  from: `2026-12-${String(from).padStart(2, '0')}T00:00:00Z`,
  to: `2026-12-${String(to).padStart(2, '0')}T00:00:00Z`,
});

test('brownouts are optional, and must be in order', () => {
  expect(read(undefined)).toEqual({ brownouts: [], faults: [] });
  expect(read([])).toEqual({ brownouts: [], faults: [] });
  expect(read([december(1, 2), { from: '2026-12-03T01:00:00+01:00', to: '2026-12-04T00:00:00.5Z' }])).toEqual({
    brownouts: [
      { from: Date.UTC(2026, 11, 1), to: Date.UTC(2026, 11, 2) },
      { from: Date.UTC(2026, 11, 3), to: Date.UTC(2026, 11, 4) + 500 },
    ],
    faults: [],
  });
});

const dateTime = 'must be an RFC 3339 date-time with an offset, such as 2026-12-01T09:00:00Z';

test.each<[string, unknown, ...string[]]>([
  ['something other than a list', 'soon', 'x-brownouts must be a list of { from, to }'],
  ['no intervals', ['soon', null], 'x-brownouts[0] must be { from, to }', 'x-brownouts[1] must be { from, to }'],
  ['a date', [{ ...december(1, 2), from: '2026-12-01' }], `x-brownouts[0].from ${dateTime}; got "2026-12-01"`],
  [
    'no offset',
    [{ ...december(1, 2), from: '2026-12-01T00:00:00' }],
    `x-brownouts[0].from ${dateTime}; got "2026-12-01T00:00:00"`,
  ],
  [
    'a day that does not exist',
    [{ ...december(1, 2), from: '2026-02-30T00:00:00Z' }],
    `x-brownouts[0].from ${dateTime}; got "2026-02-30T00:00:00Z"`,
  ],
  [
    'missing times',
    [{ to: 5 }],
    `x-brownouts[0].from ${dateTime}; it is missing`,
    `x-brownouts[0].to ${dateTime}; got 5`,
  ],
  [
    'an unknown field',
    [{ ...december(1, 2), until: 3 }],
    'x-brownouts[0].until is unknown: a brownout has only from and to',
  ],
  ['zero length', [december(1, 1)], 'x-brownouts[0] must have a "to" that is later than its "from"'],
  ['from and to swapped', [december(2, 1)], 'x-brownouts[0] must have a "to" that is later than its "from"'],
  [
    'wrong order',
    [december(3, 4), december(1, 2)],
    'x-brownouts[1] starts before the previous one: list brownouts in chronological order',
  ],
  [
    'an overlap',
    [december(1, 3), december(2, 4)],
    'x-brownouts[1] overlaps or touches the previous one: merge the two',
  ],
  [
    'no gap between two',
    [december(1, 2), december(2, 4)],
    'x-brownouts[1] overlaps or touches the previous one: merge the two',
  ],
])('%s as x-brownouts is rejected', (_, value, ...faults) => {
  expect(read(value).faults).toEqual(faults);
});
