import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventLoopBatch } from '../../src/base/event-loop-batch.ts';

function collect() {
  const handled: number[][] = [];
  return { handled, batch: new EventLoopBatch<number>((items) => handled.push(items)) };
}

test('items of one turn of the event loop are handled together, in order, and only once', async () => {
  const { handled, batch } = collect();
  for (const item of [3, 1, 2]) batch.add(item);
  expect(handled).toEqual([]);
  await nextTurn();
  expect(handled).toEqual([[3, 1, 2]]);
  await nextTurn();
  expect(handled).toEqual([[3, 1, 2]]);
});

test('items that arrive during processing belong to the next batch', async () => {
  const handled: number[][] = [];
  const batch: EventLoopBatch<number> = new EventLoopBatch((items) => {
    handled.push(items);
    if (handled.length < 3) batch.add(handled.length);
  });
  batch.add(0);
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  expect(handled).toEqual([[0], [1], [2]]);
});

test('a batch is flushed at its maximum size', async () => {
  const { handled, batch } = collect();
  for (let item = 0; item < 150; item++) batch.add(item);
  expect(handled.map(({ length }) => length)).toEqual([64, 64]);
  await nextTurn();
  expect(handled.flat()).toEqual(Array.from({ length: 150 }, (_, index) => index));
});
