import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../base/error-types.ts';
import { makePrivate } from './private-file.ts';

const BUSY = 5;
const RETRY_MS = 50;

/** How to wait for another process that holds a file, such as one that is draining. */
export interface LockWait {
  readonly limitMs: number;
  /** Called once, before the wait begins, with a line for the log. */
  readonly onWait: (message: string) => void;
}

export const NO_WAIT: LockWait = { limitMs: 0, onWait() {} };

/**
 * Makes this the only process that uses `file`, with a write transaction kept open on a small database next to it: the
 * system ends that with the process, however it dies, and others can still read there who holds the lock.
 *
 * @returns releases the lock
 * @throws StartError naming the holder
 */
export async function takeLock(file: string, { limitMs, onWait }: LockWait): Promise<() => void> {
  makePrivate(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    const deadline = performance.now() + limitMs;
    for (let waits = false; !tryLock(lock); waits = true) {
      if (performance.now() >= deadline) throw new StartError(heldMessage(lock, file, limitMs));
      if (!waits) onWait(waitMessage(lock, file, limitMs));
      await sleep(RETRY_MS);
    }
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN IMMEDIATE');
    lock.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT, since TEXT); DELETE FROM holder');
    lock.prepare('INSERT INTO holder VALUES (?, ?, ?)').run(process.pid, hostname(), new Date().toISOString());
    // Committed, so that others can read the holder; then held again.
    lock.exec('COMMIT; BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (lock.isTransaction) lock.exec('ROLLBACK');
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}

function waitMessage(lock: DatabaseSync, file: string, limitMs: number): string {
  return (
    `database ${file} is in use by ${holderOf(lock)}: waiting up to ${seconds(limitMs)} until that process has ` +
    'stopped; if it is meant to go on, give this gateway another TOLLGATE_DATA_DIR'
  );
}

function heldMessage(lock: DatabaseSync, file: string, limitMs: number): string {
  const after = limitMs === 0 ? '' : `, still so after ${seconds(limitMs)}`;
  return (
    `database ${file} is in use by ${holderOf(lock)}${after}: stop that process, or use PostgreSQL and Redis ` +
    '(TOLLGATE_DATABASE, TOLLGATE_STORE) to run several gateways'
  );
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

function holderOf(lock: DatabaseSync): string {
  try {
    const holder = lock.prepare('SELECT pid, host, since FROM holder').get() ?? {};
    return `process ${String(holder['pid'])} on ${String(holder['host'])} since ${String(holder['since'])}`;
  } catch {
    // It has just taken the lock and not written its name yet.
    return 'another process';
  }
}
