import type { CallValues } from './call.ts';

/** A call that was tried in this tab. */
export interface Try {
  /** The time of the call, in ms since the Unix epoch. */
  readonly at: number;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The input without files; null if it was too large to store. */
  readonly values: CallValues | null;
}

const STORED_AS = 'tollgate-tries';
const MAX_TRIES = 20;
const MAX_VALUES_LENGTH = 10_000;

interface Stored {
  readonly session: string;
  readonly tries: readonly Try[];
}

/** The calls that were tried in this tab, latest first. Those of another session are dropped. */
export function readTries(storage: Storage, session: string): readonly Try[] {
  try {
    const stored = JSON.parse(storage.getItem(STORED_AS) ?? 'null') as Stored | null;
    if (stored?.session === session) return stored.tries;
  } catch {
    // The stored calls come from another version of the portal.
  }
  storage.removeItem(STORED_AS);
  return [];
}

/**
 * Stores a call until the tab is closed.
 *
 * @returns all stored calls
 */
export function addTry(storage: Storage, session: string, made: Omit<Try, 'at'>, at = Date.now()): readonly Try[] {
  const { files: _, ...values } = made.values ?? { files: undefined };
  const kept = made.values !== null && JSON.stringify(values).length <= MAX_VALUES_LENGTH;
  const one = { ...made, at, values: kept ? (values as CallValues) : null };
  const tries = [one, ...readTries(storage, session)].slice(0, MAX_TRIES);
  try {
    storage.setItem(STORED_AS, JSON.stringify({ session, tries } satisfies Stored));
  } catch {
    // The storage is full: the calls are kept only until the user leaves the page.
  }
  return tries;
}
