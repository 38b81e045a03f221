import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Standing, DeliverySlots } from '../../../../src/control-plane/webhooks/delivery-slots.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function makeSlots() {
  const calls = { freed: 0 };
  const slots = new DeliverySlots(() => (calls.freed += 1));
  const enter = (count: number, webhook = 'whk', standing: Standing = 'working') =>
    Array.from({ length: count }, () => slots.takeSlot(webhook, standing));
  return { slots, calls, enter };
}

test('48 attempts run at a time for working webhooks, and 16 each for slow and for failing ones', () => {
  const { slots, calls, enter } = makeSlots();
  expect(slots.freeSlots).toEqual({ working: 48, slow: 16, failing: 16 });
  const [leave] = enter(48);
  expect(slots.freeSlots).toEqual({ working: 0, slow: 16, failing: 16 });
  enter(16, 'bad', 'failing');
  expect(slots.freeSlots).toEqual({ working: 0, slow: 16, failing: 0 });
  leave!();
  expect([slots.freeSlots, calls.freed]).toEqual([{ working: 1, slow: 16, failing: 0 }, 1]);
});

test('slow attempts free their slots for others of the same class, up to 192 attempts in total', () => {
  const { slots, calls, enter } = makeSlots();
  const leave = enter(48, 'one');
  expect(slots.busyWebhooks).toEqual([]);
  jest.advanceTimersByTime(2000);
  expect([slots.freeSlots.working, calls.freed, slots.busyWebhooks]).toEqual([48, 48, ['one']]);
  for (const webhook of ['two', 'three', 'four']) {
    enter(48, webhook);
    jest.advanceTimersByTime(2000);
  }
  expect(slots.freeSlots).toEqual({ working: 0, slow: 16, failing: 16 });
  expect(slots.busyWebhooks).toEqual(['one', 'two', 'three', 'four']);
  for (const each of leave.slice(1)) each();
  expect([slots.freeSlots.working, slots.busyWebhooks.length]).toEqual([47, 4]);
  leave[0]!();
  expect([slots.freeSlots.working, slots.busyWebhooks]).toEqual([48, ['two', 'three', 'four']]);
});

test('up to a thousand webhooks whose last attempt was slow are remembered until an attempt is fast', () => {
  const { slots, enter } = makeSlots();
  const [first] = enter(1, 'one');
  jest.advanceTimersByTime(2000);
  first!();
  expect([slots.busyWebhooks, slots.slowWebhooks]).toEqual([[], ['one']]);
  const [next] = enter(1, 'one', 'failing');
  next!();
  expect(slots.slowWebhooks).toEqual([]);
  for (let index = 0; index < 1001; index++) {
    const [leave] = enter(1, `${index}`, 'failing');
    jest.advanceTimersByTime(2000);
    leave!();
  }
  expect([slots.slowWebhooks.length, slots.slowWebhooks[0]]).toEqual([1000, '1']);
});
