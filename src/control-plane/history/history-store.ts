import type {
  CallersPage,
  Calls,
  CallersQuery,
  CallsQuery,
  FoundRefusal,
  PreviewQuery,
  PreviewReport,
  RefusalRecord,
  UsageQuery,
  UsageReport,
} from './reports.ts';
import type { Durations } from './duration-buckets.ts';

/** The name that counts of keys are added under while there are too many of them to be told apart. */
export const OTHER_KEY = 'other';

/** The outcome of requests that the gateway did not refuse. */

/** Rows per chunk, at most: one transaction, and one message to the worker. */
export const MAX_CHUNK_ROWS = 500;

/** What one combination of key, operation, outcome and status class did in one minute, or in a part of it. */
export interface UsageRow {
  /** Start of the minute, in ms since the Unix epoch. */
  readonly minute: number;
  /** Null: no key, or none that is known. `OTHER_KEY`: one of those that were too many. */
  readonly keyId: string | null;
  /** Null: the request matched none. */
  readonly operation: string | null;
  /** `SERVED`, or the code of the refusal. */
  readonly outcome: string;
  /** First digit of the status, 1 to 5; 0: the client left before an answer. */
  readonly statusClass: number;
  readonly requests: number;
  /** Charged. */
  readonly units: number;
  /** Asked for, but refused by quota or ban, and not charged. */
  readonly refusedUnits: number;
  readonly durations: Durations;
  /** The first and the last of these requests, in ms since the Unix epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** What a gateway adds to the history at once. */
export interface Chunk {
  /** Id of the gateway's process: new at every start. */
  readonly writer: string;
  /** Rises with every chunk of a writer. A chunk that is sent again keeps its number. */
  readonly sequence: number;
  /** At most `MAX_CHUNK_ROWS`. */
  readonly rows: readonly UsageRow[];
}

/** What deleting the history of an owner removed. */
export interface Deleted {
  /** Keys of the owner, with or without history. */
  readonly keys: number;
  /** Rows of counts and refusals. */
  readonly rows: number;
}

/**
 * The history: counts of requests by minute, hour and day, the callers of each operation, and recent refusals. Times are
 * ms since the Unix epoch; days and months are those of UTC. Every call is rejected with `StoreUnavailable` if the
 * database cannot answer (in time).
 */
export interface HistoryStore {
  /**
   * Adds a chunk to every resolution, all of it or nothing. A writer sends its chunks in order, each until this
   * resolves: one whose sequence is not above the last one added is a repetition, and adds nothing.
   */
  write(chunk: Chunk): Promise<void>;
  usage(query: UsageQuery): Promise<UsageReport>;
  /** Who called an operation, newest caller first. */
  callers(query: CallersQuery): Promise<CallersPage>;
  /** Which of these operations somebody ever called; those that they did not are left out. */
  calls(query: CallsQuery): Promise<Calls[]>;
  /** Which keys of a plan went above new limits. */
  preview(query: PreviewQuery): Promise<PreviewReport>;
  /** Keeps what refusals were decided from. One that is kept already is ignored. */
  keepRefusals(refusals: readonly RefusalRecord[]): Promise<void>;
  /** @param quotaId only those of this quota: callers choose request ids, so two may have the same */
  findRefusals(requestId: string, quotaId?: string): Promise<FoundRefusal[]>;
  /** Deletes what is known about the keys of an owner. Totals over all keys keep their counts: they name nobody. */
  deleteOwner(owner: string): Promise<Deleted>;
  /**
   * Deletes what is older than is kept, in slices between which others are served. With PostgreSQL, also puts rows in
   * the order in which reports read them.
   *
   * @returns the number of rows deleted
   */
  prune(now: number): Promise<number>;
  close(): Promise<void>;
}
