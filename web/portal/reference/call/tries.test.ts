import { expect, test } from '@jest/globals';
import { addTry, readTries, type Try } from './tries.ts';

/** Creates a storage, because Node's own `localStorage` requires a file. */
function emptyStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  } as unknown as Storage;
}

const values = { parameters: {}, mediaType: null, body: '', form: {} };
const made: Omit<Try, 'at'> = { operationId: 'a', method: 'GET', path: '/a', status: 200, durationMs: 2, values };

test('the latest tries are kept, without files and without values that are too long', () => {
  const storage = emptyStorage();
  for (let at = 0; at < 30; at++) addTry(storage, 's1', { ...made, values: { ...values, files: {} } }, at);
  expect(readTries(storage, 's1')).toHaveLength(20);
  expect(readTries(storage, 's1')[0]).toEqual({ ...made, at: 29 });
  addTry(storage, 's1', { ...made, values: { ...values, body: 'x'.repeat(20_000) } });
  expect(readTries(storage, 's1')[0]?.values).toBeNull();
});

// Another user may sign in in the same tab and must not see the calls.
test('the tries of another session are forgotten', () => {
  const storage = emptyStorage();
  addTry(storage, 's1', made);
  expect(readTries(storage, 's2')).toEqual([]);
  expect(readTries(storage, 's1')).toEqual([]);
});

test('stored tries that cannot be read are ignored', () => {
  const storage = emptyStorage();
  storage.setItem('tollgate-tries', '{');
  expect(readTries(storage, 's1')).toEqual([]);
});
