import type { CallValues } from './call.ts';

/** A call that the user tried in this tab. */
export interface Try {
  /** The time of the call, in ms since the Unix epoch. */
  readonly at: number;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The values in the form, without files. Null if they were too large to store. */
  readonly values: CallValues | null;
}

const STORED_AS = 'tollgate-tries';
const MAX_TRIES = 20;
const MAX_VALUES_LENGTH = 10_000;

interface Stored {
  readonly session: string;
  readonly tries: readonly Try[];
}

/** Reads the calls that were tried in this tab, latest first. Calls of another session are removed. */
export function readTries(storage: Storage, session: string): readonly Try[] {
  try {
    const stored = JSON.parse(storage.getItem(STORED_AS) ?? 'null') as Stored | null;
    if (stored?.session === session) return stored.tries;
  } catch {
    // The stored text is invalid, for example because another version of the portal wrote it, so remove it.
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
    // The storage is full, so the calls are lost when the user leaves the page.
  }
  return tries;
}
