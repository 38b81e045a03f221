/**
 * The bytes of a reply can be corrupted on their way from the server. A reply with a character that is not a digit once
 * became a decision full of NaN, and its request got a 500. It must count as a failure of the store.
 */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  readBatch,
  readDecision,
  type Reply,
  readTime,
} from '../../../../src/data-plane/admission/redis/redis-reply.ts';

const noon = Date.UTC(2026, 0, 6, 12);
const ADMITTED = `2 ${noon} ${noon} 1 1 0 0 0 0 0 0`;
const limits = { minute: 5, day: 8 };

const findNumbers = (value: unknown): number[] =>
  typeof value === 'object'
    ? Object.values(value ?? {}).flatMap(findNumbers)
    : typeof value === 'number'
      ? [value]
      : [];

test('a corrupted reply is reported as an error, or still consists of valid numbers', () => {
  fc.assert(
    fc.property(fc.nat(ADMITTED.length - 1), fc.constantFrom('!', 'x', ' ', ';', '', '\u0000'), (at, character) => {
      const changed = ADMITTED.slice(0, at) + character + ADMITTED.slice(at + 1);
      for (const reply of readBatch([0, noon, changed])) {
        if (Error.isError(reply)) continue;
        expect(findNumbers(readDecision(reply, 1, limits)).every(Number.isSafeInteger)).toBe(true);
      }
    }),
  );
});

test('a corrupted reply affects no other request of the batch', () => {
  const [broken, whole] = readBatch([0, noon, `${ADMITTED.replace('1', '!')};${ADMITTED}`]);
  expect(Error.isError(broken)).toBe(true);
  expect(readDecision(whole as Reply, 1, limits)).toMatchObject({ admitted: true, outcome: 'admitted' });
});

test('an unknown outcome is reported as an error', () => {
  expect(Error.isError(readBatch([0, noon, ADMITTED.replace('2', '99')])[0])).toBe(true);
});

test.each([
  ['an invalid time', [0, Number.NaN]],
  ['no time', [0]],
  ['an inexact number', [0, noon, 2 ** 60]],
  ['a text', 'OK'],
])('%s is rejected as a reply', (_, reply) => {
  expect(() => readTime(reply as unknown as Reply)).toThrow('not in the expected format');
});
