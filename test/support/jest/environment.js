import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where Node has the connections of `fetch`. */
const FETCH_POOL = Symbol.for('undici.globalDispatcher.2');
/** What was closed last may take this long to be gone. */
const SETTLE_MS = 5000;
/**
 * What ends by itself, and pipes: standard output is one that is opened when it is first used, and those of a child are
 * told by the child.
 */
const IGNORED = new Set(['CloseReq', 'FSReqCallback', 'FSReqPromise', 'Immediate', 'PipeWrap', 'TickObject']);

/**
 * The realm of the worker, for test files that run in it one after the other. Fails one that leaves behind a server,
 * connection, process or timer that would keep a process running.
 */
export default class LeakCheckingEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = globalThis.console;
  #exit = Object.getOwnPropertyDescriptor(process, 'exit');
  #exitListeners = new Set(process.listeners('exit'));
  #before = new Map();
  #failed = false;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Jest insists on the method; only modules that Jest loads itself would need a context. */
  getVmContext() {
    return null;
  }

  async setup() {
    // Jest itself starts a process, to look for files.
    const deadline = performance.now() + SETTLE_MS;
    while (activeResources().has('ProcessWrap') && performance.now() < deadline) await sleep(10);
    this.#before = activeResources();
  }

  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure' || name === 'error') this.#failed = true;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    try {
      await closeFetchConnections();
      // A failure may be why something is left, and would not be reported beside it.
      if (!this.#failed) await this.#expectNothingLeft();
    } finally {
      this.#endWhatIsLeft();
      // Jest has replaced both.
      globalThis.console = this.#console;
      Object.defineProperty(process, 'exit', this.#exit);
    }
  }

  /** Helpers end with the process what a failed test has left running; the next file must not find it. */
  #endWhatIsLeft() {
    for (const listener of process.listeners('exit')) {
      if (this.#exitListeners.has(listener)) continue;
      process.off('exit', listener);
      listener(0);
    }
  }

  async #expectNothingLeft() {
    for (const deadline = performance.now() + SETTLE_MS; this.#left().length > 0; await sleep(10)) {
      if (performance.now() < deadline) continue;
      const where = openSockets().join(', ');
      throw new Error(`left open: ${this.#left().join(', ')} (all sockets that are open: ${where || 'none'})`);
    }
  }

  /** What is active and was not when the file began, such as `2 Timeout`. */
  #left() {
    return [...activeResources()]
      .map(([type, count]) => [type, count - (this.#before.get(type) ?? 0)])
      .filter(([type, more]) => more > 0 && !IGNORED.has(type))
      .map(([type, more]) => `${more} ${type}`);
  }
}

/** `fetch` keeps connections, also those of responses that nothing has read to the end. */
async function closeFetchConnections() {
  const pool = globalThis[FETCH_POOL];
  if (pool === undefined) return;
  globalThis[FETCH_POOL] = new pool.constructor();
  await pool.destroy();
}

/** @returns how many of each type keep the event loop running */
function activeResources() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** @returns the addresses of each socket, of this side and the other, which tell what it is connected to */
function openSockets() {
  return (
    process
      // oxlint-disable-next-line no-underscore-dangle -- Node has no other way to list them
      ._getActiveHandles()
      .filter((handle) => handle instanceof Socket)
      .map((socket) => {
        const state = Object.entries({
          connecting: socket.connecting,
          destroyed: socket.destroyed,
          paused: socket.isPaused(),
          ended: socket.readableEnded,
          finished: socket.writableFinished,
        }).filter(([, is]) => is);
        const { localPort, remotePort, remoteAddress } = socket;
        return `${localPort} to ${remoteAddress}:${remotePort} ${state.map(([name]) => name).join(' ')}`.trim();
      })
  );
}
