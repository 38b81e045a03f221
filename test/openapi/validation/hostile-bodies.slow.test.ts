/**
 * Request bodies designed to be slow to check. A check cannot be interrupted, so its time must be proportional to the
 * size of the body, or the body must be refused.
 */
import { expect, test } from '@jest/globals';
import { readCpuMs } from '../../../src/base/run-within.ts';
import { createHostileBodies, prepareBodyCheck } from './hostile-bodies.ts';

/**
 * A body takes less than 10 ms, and one with a check of more than linear time takes seconds or has no end. The limit is
 * between them, far from both, because machines differ. The benchmark shows the 10 ms.
 */
const MAX_MS = 400;

function measureMs(work: () => void): number {
  const start = readCpuMs();
  work();
  return readCpuMs() - start;
}

test('no body takes much longer to check than others of its size', () => {
  const slow: string[] = [];
  const results: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const { title, schema, text, result } of createHostileBodies()) {
    const check = prepareBodyCheck(schema);
    const body = Buffer.from(text);
    const work = () => {
      const found = check(body);
      results[title] = 'fault' in found ? found.fault : found.length;
    };
    // The first check compiles code, and a busy machine can hold up one of them.
    if (Math.min(measureMs(work), measureMs(work), measureMs(work)) > MAX_MS) slow.push(title);
    expected[title] = result ?? expect.anything();
  }
  expect(slow).toEqual([]);
  // Limits count values and steps, so they do not depend on the machine.
  expect(results).toEqual(expected);
});
