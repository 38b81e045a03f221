import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Standing, DeliverySlots } from '../../../../src/control-plane/webhooks/delivery-slots.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function makePlaces() {
  const calls = { freed: 0 };
  const places = new DeliverySlots(() => (calls.freed += 1));
  const enter = (count: number, webhook = 'whk', standing: Standing = 'working') =>
    Array.from({ length: count }, () => places.enter(webhook, standing));
  return { places, calls, enter };
}

test('64 attempts run at a time, a quarter of them for failing or slow webhooks', () => {
  const { places, calls, enter } = makePlaces();
  expect(places.free).toEqual({ working: 48, troubled: 16 });
  const [leave] = enter(48);
  expect(places.free).toEqual({ working: 0, troubled: 16 });
  enter(16, 'bad', 'troubled');
  expect(places.free).toEqual({ working: 0, troubled: 0 });
  leave!();
  expect([places.free, calls.freed]).toEqual([{ working: 1, troubled: 0 }, 1]);
});

test('slow attempts make room for others, up to 192 in total, and none takes the room of another class', () => {
  const { places, calls, enter } = makePlaces();
  const leave = enter(48, 'one');
  expect(places.slow).toEqual([]);
  jest.advanceTimersByTime(2000);
  expect([places.free.working, calls.freed, places.slow]).toEqual([48, 48, ['one']]);
  for (const webhook of ['two', 'three', 'four']) {
    enter(48, webhook);
    jest.advanceTimersByTime(2000);
  }
  expect(places.free).toEqual({ working: 0, troubled: 16 });
  expect(places.slow).toEqual(['one', 'two', 'three', 'four']);
  for (const each of leave.slice(1)) each();
  expect([places.free.working, places.slow.length]).toEqual([47, 4]);
  leave[0]!();
  expect([places.free.working, places.slow]).toEqual([48, ['two', 'three', 'four']]);
});

test('up to a thousand webhooks with a slow last attempt are remembered until one is fast', () => {
  const { places, enter } = makePlaces();
  const [first] = enter(1, 'one');
  jest.advanceTimersByTime(2000);
  first!();
  expect([places.slow, places.slowWebhooks]).toEqual([[], ['one']]);
  const [next] = enter(1, 'one', 'troubled');
  next!();
  expect(places.slowWebhooks).toEqual([]);
  for (let index = 0; index < 1001; index++) {
    const [leave] = enter(1, `${index}`, 'troubled');
    jest.advanceTimersByTime(2000);
    leave!();
  }
  expect([places.slowWebhooks.length, places.slowWebhooks[0]]).toEqual([1000, '1']);
});
