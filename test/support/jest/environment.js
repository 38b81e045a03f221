import { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { saveProcessState } from './process-state.js';

/** Where Node keeps the dispatcher of `fetch`. */
const FETCH_POOL = Symbol.for('undici.globalDispatcher.2');
/** Time for resources that are being closed to go away. */
const SETTLE_MS = 30_000;
/**
 * Short-lived resources, and pipes: standard output opens one when first used, and the pipes of a child process are
 * covered by the process itself.
 */
const IGNORED = new Set(['CloseReq', 'FSReqCallback', 'FSReqPromise', 'Immediate', 'PipeWrap', 'TickObject']);

/**
 * Runs test files one after the other in the worker's own realm. Undoes what a file changes for the whole process, and
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

  /** Jest requires the method. Only modules loaded by Jest itself would need a context. */
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

  /** Runs the exit listeners of helpers, which stop what a failed test left running, before the next file starts. */
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

  /** Resources that were not active when the file started, such as `2 Timeout`. */
  #left() {
    return [...activeResources()]
      .map(([type, count]) => [type, count - (this.#before.get(type) ?? 0)])
      .filter(([type, more]) => more > 0 && !IGNORED.has(type))
      .map(([type, more]) => `${more} ${type}`);
  }
}

/** `fetch` keeps connections open, including those of responses that were not fully read. */
async function closeFetchConnections() {
  const pool = globalThis[FETCH_POOL];
  if (pool === undefined) return;
  globalThis[FETCH_POOL] = new pool.constructor();
  await pool.destroy();
}

/** @returns number of active resources by type */
function activeResources() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Jest starts a process to search for files, which may run while the first file does if both run in one process. */
function isJestSearching() {
  return activeHandles().some((handle) => handle instanceof ChildProcess && handle.spawnfile === 'find');
}

function activeHandles() {
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other way to list them
  return process._getActiveHandles();
}

/** @returns local port, remote address and state of each socket */
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
