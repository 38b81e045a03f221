import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { WorkPlaces } from '../../../src/webhooks/delivery/work-places.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function makePlaces() {
  const calls = { freed: 0 };
  const places = new WorkPlaces(() => (calls.freed += 1));
  const enter = (count: number, webhook = 'whk') => Array.from({ length: count }, () => places.enter(webhook));
  return { places, calls, enter };
}

test('64 attempts run at once', () => {
  const { places, calls, enter } = makePlaces();
  expect(places.free).toBe(64);
  const [leave] = enter(64);
  expect(places.free).toBe(0);
  leave!();
  expect([places.free, calls.freed]).toEqual([1, 1]);
});

test('those that take long make room for others, up to 256 in all', () => {
  const { places, calls, enter } = makePlaces();
  const leave = enter(64, 'one');
  expect(places.slow).toEqual([]);
  jest.advanceTimersByTime(2000);
  expect([places.free, calls.freed, places.slow]).toEqual([64, 64, ['one']]);
  for (const webhook of ['two', 'three', 'four']) {
    enter(64, webhook);
    jest.advanceTimersByTime(2000);
  }
  expect([places.free, places.slow]).toEqual([0, ['one', 'two', 'three', 'four']]);
  for (const each of leave.slice(1)) each();
  expect([places.free, places.slow]).toEqual([63, ['one', 'two', 'three', 'four']]);
  leave[0]!();
  expect([places.free, places.slow]).toEqual([64, ['two', 'three', 'four']]);
});
