import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Outage } from '../../../../src/data-plane/admission/resilient/outage.ts';

let reports: string[];
let outage: Outage;

beforeEach(() => {
  jest.useFakeTimers();
  reports = [];
  outage = new Outage({
    onDegraded: (reason, agoMs) => void reports.push(`${reason}, ${agoMs} ms ago`),
    onRecovered: (degradedForMs, agoMs) => void reports.push(`degraded for ${degradedForMs} ms until ${agoMs} ms ago`),
  });
});
afterEach(() => {
  outage.close();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTime(ms);

test('the start and the end of an outage are reported once each', () => {
  outage.begin('a', 'gone');
  outage.begin('a', 'gone again');
  pass(999);
  expect(reports).toEqual([]);
  pass(1);
  expect(reports).toEqual(['gone, 1000 ms ago']);
  pass(10_000);
  outage.end('a');
  outage.end('a');
  pass(4999);
  expect(reports).toHaveLength(1);
  pass(1);
  expect(reports.slice(1)).toEqual(['degraded for 11000 ms until 5000 ms ago']);
  outage.begin('a', 'gone again');
  pass(1000);
  expect(reports.at(-1)).toBe('gone again, 1000 ms ago');
});

test('a short interruption is not reported', () => {
  outage.begin('a', 'gone');
  pass(999);
  outage.end('a');
  pass(60_000);
  expect(reports).toEqual([]);
});

test('an intermittent outage counts as one, and ends when the store stays available', () => {
  for (let times = 0; times < 10; times++) {
    outage.begin('a', 'gone');
    pass(1000);
    outage.end('a');
    pass(4000);
  }
  expect(reports).toEqual(['gone, 1000 ms ago']);
  pass(1000);
  expect(reports.slice(1)).toEqual(['degraded for 46000 ms until 5000 ms ago']);
});

test('an outage ends when all of its causes have ended', () => {
  outage.begin('a', 'one is gone');
  outage.begin('b', 'another is gone');
  pass(2000);
  outage.end('a');
  pass(60_000);
  expect(reports).toEqual(['one is gone, 1000 ms ago']);
  outage.end('b');
  pass(5000);
  expect(reports).toHaveLength(2);
});

test('a stopping gateway reports the end of an outage only if the store was available again', () => {
  outage.begin('a', 'gone');
  pass(1000);
  outage.end('a');
  pass(1000);
  outage.close();
  outage.close();
  expect(reports.slice(1)).toEqual(['degraded for 1000 ms until 1000 ms ago']);
  outage.begin('a', 'gone');
  pass(1000);
  outage.close();
  pass(60_000);
  expect(reports).toHaveLength(3);
});
