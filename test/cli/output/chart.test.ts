import { expect, test } from '@jest/globals';
import { bar, sparkline } from '../../../src/cli/output/chart.ts';

test('a bar is as long as its value, in eighths of a cell', () => {
  expect([0, 1, 50, 56, 100].map((value) => bar(value, 100, 10))).toEqual(['', '▏', '█████', '█████▋', '██████████']);
  // What is next to nothing beside the highest is still not nothing.
  expect(bar(1, 1_000_000, 10)).toBe('▏');
  expect(bar(0, 0, 10)).toBe('');
});

test('a sparkline has a cell for every value, and none where there is nothing', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8, 0], 40)).toBe(' ▁▂▃▄▅▆▇█ ');
  expect(sparkline([0, 0], 40)).toBe('  ');
  expect(sparkline([], 40)).toBe('');
  expect(sparkline([1, 1_000_000], 40)).toBe('▁█');
});

test('a sparkline with more values than cells adds up neighbours', () => {
  expect(sparkline([1, 1, 2, 2, 4, 4], 3)).toBe('▂▄█');
  expect(sparkline(Array<number>(100).fill(1), 30)).toHaveLength(25);
});
