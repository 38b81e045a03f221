import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, jest, test } from '@jest/globals';

const FAKE_NOW = 1;
const NEW_GLOBAL = 'leftBehind';
const LISTENED = ['SIGUSR2', 'warning', 'uncaughtException', 'left-behind'];

/** The things that a file can leave behind. Each has a function that leaves it, and one that checks for it. */
const LEFT: Readonly<Record<string, { readonly leave: () => void; readonly isThere: () => boolean }>> = {
  'a time limit for tests': {
    leave: () => void jest.setTimeout(FAKE_NOW),
    isThere: () => Symbol.for('TEST_TIMEOUT_SYMBOL') in globalThis,
  },
  'a global value': {
    leave: () => void Object.assign(globalThis, { [NEW_GLOBAL]: true }),
    isThere: () => NEW_GLOBAL in globalThis,
  },
  'a global symbol': {
    leave: () => void Object.assign(globalThis, { [Symbol.for(NEW_GLOBAL)]: true }),
    isThere: () => Symbol.for(NEW_GLOBAL) in globalThis,
  },
  'a replaced global function': {
    leave: () => void (globalThis.fetch = () => Promise.reject(new Error(NEW_GLOBAL))),
    isThere: () => globalThis.fetch.toString().includes('NEW_GLOBAL'),
  },
  'a spy': {
    leave: () => void jest.spyOn(Date, 'now').mockReturnValue(FAKE_NOW),
    isThere: () => Date.now() === FAKE_NOW,
  },
  'a fake clock': {
    leave: () => void jest.useFakeTimers({ now: FAKE_NOW }),
    isThere: () => new Date().getTime() < 1000,
  },
  'an environment variable': {
    leave: () => void (process.env['LEFT_BEHIND'] = NEW_GLOBAL),
    isThere: () => 'LEFT_BEHIND' in process.env,
  },
  'a changed environment variable': {
    leave: () => void (process.env['PATH'] += `:${NEW_GLOBAL}`),
    isThere: () => process.env['PATH']?.includes(NEW_GLOBAL) ?? true,
  },
  'the working directory': {
    leave: () => process.chdir(tmpdir()),
    isThere: () => process.cwd() === tmpdir(),
  },
  'the mask of file modes': {
    leave: () => void process.umask(0o777),
    isThere: () => process.umask() === 0o777,
  },
  'the exit code': {
    leave: () => void (process.exitCode = 9),
    isThere: () => process.exitCode === 9,
  },
  'listeners of the process': {
    leave: () => LISTENED.forEach((event) => process.on(event, leftBehind)),
    isThere: () =>
      LISTENED.some((event) => process.listeners(event as 'SIGUSR2').includes(leftBehind)) || countListeners() > 0,
  },
  'replaced standard output': {
    leave: () => void (process.stdout.write = () => true),
    isThere: () => process.stdout.write.toString().includes('=> true'),
  },
  'the length of stack traces': {
    leave: () => void (Error.stackTraceLimit = FAKE_NOW),
    isThere: () => Error.stackTraceLimit === FAKE_NOW,
  },
};

function leftBehind(): void {}

function countListeners(): number {
  return LISTENED.flatMap((event) => process.listeners(event as 'SIGUSR2')).filter(({ name }) => name === 'leftBehind')
    .length;
}

/**
 * Declares tests that fail if an earlier file left something behind, and that then leave the same things themselves.
 */
export function leaveEverything(): void {
  // The environment closes the connections of `fetch` after each file.
  test('requests of `fetch` can be sent', async () => {
    const server = createServer((_req, res) => res.end('hello'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await response.text()).toBe('hello');
    server.close();
  });

  test.each(Object.entries(LEFT))('%s', (_, { leave, isThere }) => {
    expect(isThere()).toBe(false);
    leave();
    expect(isThere()).toBe(true);
  });
}
