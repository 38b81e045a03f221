import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Outage } from '../../../../src/data-plane/admission/resilient/outage.ts';

let told: string[];
let outage: Outage;

beforeEach(() => {
  jest.useFakeTimers();
  told = [];
  outage = new Outage({
    onDegraded: (reason, agoMs) => void told.push(`${reason}, ${agoMs} ms ago`),
    onRecovered: (degradedForMs, agoMs) => void told.push(`degraded for ${degradedForMs} ms until ${agoMs} ms ago`),
  });
});
afterEach(() => {
  outage.close();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTime(ms);

test('an outage is reported once, and so is its end', () => {
  outage.begin('a', 'gone');
  outage.begin('a', 'gone again');
  pass(999);
  expect(told).toEqual([]);
  pass(1);
  expect(told).toEqual(['gone, 1000 ms ago']);
  pass(10_000);
  outage.end('a');
  outage.end('a');
  pass(4999);
  expect(told).toHaveLength(1);
  pass(1);
  expect(told.slice(1)).toEqual(['degraded for 11000 ms until 5000 ms ago']);
  outage.begin('a', 'gone again');
  pass(1000);
  expect(told.at(-1)).toBe('gone again, 1000 ms ago');
});

test('a short interruption is not reported', () => {
  outage.begin('a', 'gone');
  pass(999);
  outage.end('a');
  pass(60_000);
  expect(told).toEqual([]);
});

test('an intermittent outage counts as one, and ends when it ends for good', () => {
  for (let times = 0; times < 10; times++) {
    outage.begin('a', 'gone');
    pass(1000);
    outage.end('a');
    pass(4000);
  }
  expect(told).toEqual(['gone, 1000 ms ago']);
  pass(1000);
  expect(told.slice(1)).toEqual(['degraded for 46000 ms until 5000 ms ago']);
});

test('an outage lasts as long as any of its causes', () => {
  outage.begin('a', 'one is gone');
  outage.begin('b', 'another is gone');
  pass(2000);
  outage.end('a');
  pass(60_000);
  expect(told).toEqual(['one is gone, 1000 ms ago']);
  outage.end('b');
  pass(5000);
  expect(told).toHaveLength(2);
});

test('a gateway that stops reports an end that it was waiting to confirm, and no other', () => {
  outage.begin('a', 'gone');
  pass(1000);
  outage.end('a');
  pass(1000);
  outage.close();
  outage.close();
  expect(told.slice(1)).toEqual(['degraded for 1000 ms until 1000 ms ago']);
  outage.begin('a', 'gone');
  pass(1000);
  outage.close();
  pass(60_000);
  expect(told).toHaveLength(3);
});
