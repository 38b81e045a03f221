import { expect, test } from '@jest/globals';
import { runAll } from './run-all.ts';

const options = { nameOf: String, onProgress: () => {} };

test('each change is made once, at most four at a time', async () => {
  let [running, most] = [0, 0];
  const seen: number[] = [];
  const run = async (subject: number) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    seen.push(subject);
    running -= 1;
  };
  const all = Array.from({ length: 25 }, (_, index) => index);
  const { done, failed } = await runAll(all, run, options);
  expect({ done: done.length, failed, most }).toEqual({ done: 25, failed: [], most: 4 });
  expect(seen.toSorted((a, b) => a - b)).toEqual(all);
});

test('failed changes are reported by name, and the others are made', async () => {
  const told: number[] = [];
  const run = (subject: string) => (subject === 'b' ? Promise.reject(new Error('refused')) : Promise.resolve(subject));
  const { done, failed } = await runAll(['a', 'b', 'c'], run, {
    nameOf: (name) => name,
    onProgress: (n) => told.push(n),
  });
  expect(done.map(({ subject }) => subject).toSorted()).toEqual(['a', 'c']);
  expect(failed).toEqual([{ name: 'b', message: 'refused' }]);
  expect(told).toEqual([1, 2, 3]);
});
