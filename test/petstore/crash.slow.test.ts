import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { callApi, OPENAPI_PATH } from '../support/petstore/petstore.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SCRIPT = new URL('../support/petstore/petstore-process.ts', import.meta.url).pathname;

// The processes that are killed at the end, so that a failing test leaves none running.
const children = new Set<ChildProcess>();
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

async function start(database: string) {
  const child = spawn(process.execPath, [SCRIPT, database, OPENAPI_PATH], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  children.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    if (url !== undefined) {
      child.stdout.resume();
      return { url: String(url), kill: () => (child.kill('SIGKILL'), exited) };
    }
  }
  throw new Error('the pet store did not start');
}

/**
 * The possible states of a resource, by its path: the last confirmed state, and the result of a request that has no
 * response yet.
 */
type Written = Map<string, object[]>;

/** Creates, changes and orders pets until the process is killed. */
async function write(url: string, written: Written, enough: () => void): Promise<void> {
  const send = async (method: string, path: string, json: unknown) => {
    const { status, body } = await callApi(url, method, path, { json });
    expect(status).toBeLessThan(300);
    return body;
  };
  try {
    for (;;) {
      const pet = await send('POST', '/pets', { name: 'Rex', categoryId: 1 });
      const path = `/pets/${pet.id}`;
      const renamed = { ...pet, name: `Rex ${pet.id}` };
      written.set(path, [pet, renamed]);
      await send('PUT', path, { name: renamed.name, categoryId: 1 });
      const ordered = { ...renamed, status: 'pending' };
      written.set(path, [renamed, ordered]);
      const order = await send('POST', '/store/orders', { petId: pet.id });
      written.set(path, [ordered]).set(`/store/orders/${order.id}`, [order]);
      enough();
    }
  } catch (error) {
    // The connection breaks when the process is killed. Any other error is a failure.
    if (!/fetch failed|terminated/.test(String(error))) throw error;
  }
}

async function expectStored(url: string, written: Written): Promise<void> {
  for (const [path, possible] of written) expect(possible).toContainEqual((await callApi(url, 'GET', path, {})).body);
}

test('kill -9 during writes loses no confirmed write', async () => {
  const database = join(temporaryDirectory(), 'pets.db');
  const written: Written = new Map();
  const first = await start(database);
  await callApi(first.url, 'POST', '/categories', { json: { name: 'Dogs' } });
  await first.kill();
  for (let round = 0; round < 4; round++) {
    const store = await start(database);
    await expectStored(store.url, written);
    let left = 10 + round * 17;
    let died: Promise<unknown> | undefined;
    const enough = () => {
      if (--left === 0) died = store.kill();
    };
    await Promise.all(Array.from({ length: 4 }, () => write(store.url, written, enough)));
    await died;
  }
  const last = await start(database);
  expect(written.size).toBeGreaterThan(50);
  await expectStored(last.url, written);
  await last.kill();
});
