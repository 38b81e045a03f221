import { expect, test } from '@jest/globals';
import { createRunInOrder } from '../../src/base/one-at-a-time.ts';

test('each piece of work begins after the previous one has ended, even if that failed', async () => {
  const inOrder = createRunInOrder();
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const work = (name: string, result: Promise<string>) =>
    inOrder(() => {
      begun.push(name);
      return result;
    });
  const results = [work('first', first.promise), work('second', Promise.resolve('b'))];
  await Promise.resolve();
  expect(begun).toEqual(['first']);
  first.reject(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  expect(await results[1]).toBe('b');
  expect(begun).toEqual(['first', 'second']);
});
