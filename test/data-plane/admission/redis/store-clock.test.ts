import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { StoreClock } from '../../../../src/data-plane/admission/redis/store-clock.ts';

test('a deadline that has passed locally has passed in the store, whatever the network delays', () => {
  const delay = fc.record({ out: fc.nat(80), back: fc.nat(80), pause: fc.nat(10_000) });
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e12 }), fc.array(delay, { minLength: 1 }), (offset, delays) => {
      const clock = new StoreClock();
      let local = 1000;
      for (const { out, back, pause } of delays) {
        const doneAt = local + out;
        clock.learn(Math.floor(doneAt + offset), local, doneAt + back);
        local = doneAt + back + pause;
        expect(clock.findPassedTime(local)).toBeLessThan(local + offset);
      }
      // The estimate lags by no more than the return time of the fastest reply.
      const quickest = Math.min(...delays.map(({ back }) => back));
      expect(local + offset - clock.findPassedTime(local)).toBeLessThanOrEqual(quickest + 4);
    }),
  );
});

test('a store clock that is set forward or back is used from its next reply', () => {
  const clock = new StoreClock();
  clock.learn(1_000_000, 100, 101);
  clock.learn(5_000_000, 200, 201);
  expect(clock.findPassedTime(201)).toBe(5_000_000 - 2);
  clock.learn(2_000_000, 300, 301);
  expect(clock.findPassedTime(301)).toBe(2_000_000 - 2);
});

test('before the first reply, no deadline is known to be safe', () => {
  const clock = new StoreClock();
  expect(clock.isKnown).toBe(false);
  expect(clock.now()).toBeUndefined();
  expect(clock.findPassedTime(1e6)).toBe(-1);
});
