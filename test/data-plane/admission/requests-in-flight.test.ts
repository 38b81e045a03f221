import { expect, test } from '@jest/globals';
import { RequestsInFlight } from '../../../src/data-plane/admission/requests-in-flight.ts';
import type { Usage } from '../../../src/data-plane/admission/quota-usage.ts';

const limits = { minute: 10, day: 100 };

test('requests are counted by quota up to the limit, and only quotas with requests in flight are kept', () => {
  const inFlight = new RequestsInFlight();
  const first = inFlight.begin('a', 2)!;
  const second = inFlight.begin('a', 2)!;
  const other = inFlight.begin('b', 1)!;
  expect(inFlight.size).toBe(2);
  expect([inFlight.begin('a', 2), inFlight.begin('b', 1)]).toEqual([null, null]);
  inFlight.end(first);
  expect(inFlight.begin('a', 2)).not.toBeNull();
  for (const held of [first, second, other]) inFlight.end(held);
  expect(inFlight.size).toBe(0);
});

test('requests without a limit count toward a limit that is set later', () => {
  const inFlight = new RequestsInFlight();
  const held = [1, 2, 3].map(() => inFlight.begin('a', null)!);
  expect(inFlight.begin('a', 3)).toBeNull();
  for (const each of held) inFlight.end(each);
  expect(inFlight.begin('a', 3)).not.toBeNull();
});

test('many refusals with the same limits share one read of the usage', async () => {
  const inFlight = new RequestsInFlight();
  inFlight.begin('a', 1);
  let reads = 0;
  const read = () => Promise.resolve({ now: ++reads } as Usage);
  const usages = Array.from({ length: 200 }, () => inFlight.readUsage('a', limits, read));
  expect(new Set(usages).size).toBe(1);
  await inFlight.readUsage('a', { ...limits, day: 200 }, read);
  expect(reads).toBe(2);
});
