import { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { saveProcessState } from './process-state.js';

/** The symbol under which Node stores the dispatcher of `fetch`. */
const FETCH_POOL = Symbol.for('undici.globalDispatcher.2');
/** The time that resources which are being closed have until they count as open. */
const SETTLE_MS = 30_000;
/**
 * Types of resources that are not checked. Most live only shortly. Pipes are ignored because standard output opens one
 * when it is first used, and the pipes of a child process end with the process.
 */
const IGNORED = new Set(['CloseReq', 'FSReqCallback', 'FSReqPromise', 'Immediate', 'PipeWrap', 'TickObject']);

/**
 * Runs test files one after another in the worker's own realm. Undoes what a file changes for the whole process, and
 * fails a file that leaves a server, connection, process or timer open.
 */
export default class LeakCheckingEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #restoreProcess = saveProcessState();
  #exitListeners = new Set(process.listeners('exit'));
  #before = new Map();
  #failed = false;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Jest requires this method, but needs a context only for modules that Jest itself loads. */
  getVmContext() {
    return null;
  }

  async setup() {
    const deadline = performance.now() + SETTLE_MS;
    while (isJestSearching() && performance.now() < deadline) await sleep(10);
    this.#before = activeResources();
  }

  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure' || name === 'error') this.#failed = true;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    try {
      await closeFetchConnections();
      // A failed test often leaves resources open, and reporting them would hide the failure.
      if (!this.#failed) await this.#expectNothingLeft();
    } finally {
      this.#runExitListeners();
      this.moduleMocker.restoreAllMocks();
      this.#restoreProcess();
    }
  }

  /** Runs the exit listeners of helpers before the next file starts. They stop what a failed test left running. */
  #runExitListeners() {
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

  /** Lists the resources that were not active when the file started, such as `2 Timeout`. */
  #left() {
    return [...activeResources()]
      .map(([type, count]) => [type, count - (this.#before.get(type) ?? 0)])
      .filter(([type, more]) => more > 0 && !IGNORED.has(type))
      .map(([type, more]) => `${more} ${type}`);
  }
}

/** Closes the connections that `fetch` keeps open, including those of responses that were not fully read. */
async function closeFetchConnections() {
  const pool = globalThis[FETCH_POOL];
  if (pool === undefined) return;
  globalThis[FETCH_POOL] = new pool.constructor();
  await pool.destroy();
}

/** @returns the number of active resources by type */
function activeResources() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/**
 * True while Jest searches for files in another process. If everything runs in one process, the search may still go on
 * during the first test file.
 */
function isJestSearching() {
  return activeHandles().some((handle) => handle instanceof ChildProcess && handle.spawnfile === 'find');
}

function activeHandles() {
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other way to list its active handles
  return process._getActiveHandles();
}

/** @returns the local port, remote address and state of each socket */
function openSockets() {
  return activeHandles()
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
    });
}
