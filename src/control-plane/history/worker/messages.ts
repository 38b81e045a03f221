import type { DatabaseLocation } from '../../../storage/database.ts';
import type { HistoryStore } from '../history-store.ts';
import type { Retention } from '../tables/retention.ts';

/** Where the worker finds the history, and how long it keeps it. */
export interface WorkerSettings {
  readonly records: DatabaseLocation;
  /** With SQLite, the file of the history. */
  readonly file: string;
  readonly keep: Retention;
  /** How long to wait for another process that holds the file, in ms. */
  readonly waitMs: number;
}

export type Method = keyof HistoryStore;

/** From the main thread: a call of a method of the store. */
export interface CallMessage {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}

export type WorkerMessage =
  /** Another process holds the file: a line for the log. */
  | { readonly kind: 'waiting'; readonly message: string }
  | { readonly kind: 'opened' }
  /** A report of usage is packed. */
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  /** Of a call, or of opening: then the id is null. Errors lose their class on the way between threads. */
  | { readonly kind: 'error'; readonly id: number | null; readonly error: SentError };

export interface SentError {
  readonly kind: 'unavailable' | 'start' | 'cursor' | 'other';
  readonly message: string;
  readonly stack: string | undefined;
}
