import type { Limits } from '../../../domain/quota-limits.ts';
import type { VIOLATION_KINDS } from '../../../storage/history-tables.ts';
import type { Durations } from './duration-buckets.ts';

/** Queries of the history and their results. Times are ms since the Unix epoch, durations ms. */

/** Resolutions at which counts are stored. */
export type StoredResolution = 'minute' | 'hour' | 'day';
/** Resolutions at which counts are reported. Six hours are added up from hours. */
export type Resolution = StoredResolution | '6h';
export type Grouping = 'key' | 'owner' | 'plan' | 'operation' | 'outcome';

/** A number from `history_names`, or an owner or plan; null: none. */
export type Group = number | string | null;

/**
 * A query of counts. Requests must match all filters. `owner` and `plan` match the current owner and plan of each key.
 */
export interface UsageQuery {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly every: Resolution;
  /** Undefined: a single series of all requests. */
  readonly by?: Grouping;
  readonly key?: string;
  /** The id of a key. Selects the requests of all keys in its rotation chain. */
  readonly chainOf?: string;
  readonly owner?: string;
  readonly plan?: string;
  readonly operation?: string;
  readonly outcome?: string;
  /** Maximum number of series. The series with the most requests are returned. */
  readonly limit: number;
  /** Returns the series of these groups, in this order, instead of the busiest groups. */
  readonly groups?: readonly Group[];
  /** Whether to return series without points. */
  readonly totalsOnly?: boolean;
  /** Decides which data is still stored at each resolution. */
  readonly now: number;
}

export interface UsageFigures {
  readonly requests: number;
  /** Charged units. */
  readonly units: number;
  /** Requests that the gateway refused with a status below 500. */
  readonly refused: number;
  /** Responses with a status of 500 or above, from the gateway or the upstream. */
  readonly errors: number;
  /** Responses of the upstream with a status from 400 to 499. */
  readonly clientErrors: number;
  /** Null: no requests. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface UsagePoint extends UsageFigures {
  readonly at: number;
}

export interface UsageSeries {
  /** Null: requests without a group, such as requests without a known key. */
  readonly group: string | null;
  readonly totals: UsageFigures;
  /** In chronological order. Points without requests are left out. */
  readonly points: readonly UsagePoint[];
}

export interface UsageReport {
  /** The beginning of the report: later than requested, if older data has been deleted. */
  readonly from: number;
  readonly to: number;
  readonly every: Resolution;
  /** The start of the oldest count in the whole history. Null: nothing has been counted. */
  readonly countedSince: number | null;
  /** Most requests first. */
  readonly series: readonly UsageSeries[];
  /** The sum of the groups beyond `limit`; null if there are none. */
  readonly others: UsageFigures | null;
}

/** A query of the number of requests by owner, up to `now`. */
export type OwnerRequestsQuery = Pick<UsageQuery, 'from' | 'to' | 'every' | 'now'>;

/** A query of the groups that have requests. */
export interface GroupsQuery extends Omit<UsageQuery, 'by' | 'groups' | 'totalsOnly'> {
  readonly by: Grouping;
  /** `requests`: the busiest groups, up to `limit`. `group`: all groups, in lists of up to `limit`. */
  readonly order: 'requests' | 'group';
  /** The last group of the previous list. */
  readonly after?: Group | undefined;
}

export interface GroupList {
  readonly groups: readonly Group[];
  readonly isLast: boolean;
}

export interface CallersQuery {
  readonly operation: string;
  readonly limit: number;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string;
}

export interface Caller {
  readonly key: string;
  /** Null: the key no longer exists. */
  readonly owner: string | null;
  readonly plan: string | null;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly requests: number;
}

export interface CallersPage {
  readonly items: readonly Caller[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
}

export interface AudienceQuery {
  /** Ids of operations. */
  readonly operations: readonly string[];
  /** A whole hour, in ms since the Unix epoch. */
  readonly from: number;
}

/** The callers of some operations. */
export interface Audience {
  /** Number of keys that called any of them, and of the owners of these keys. */
  readonly keys: number;
  readonly owners: number;
  /** By id. Operations without requests are left out. */
  readonly operations: ReadonlyMap<string, OperationAudience>;
}

export interface OperationAudience {
  readonly keys: number;
  readonly owners: number;
  /** Includes requests without a key. */
  readonly requests: number;
  /** The last call with a key; null if there was none. */
  readonly lastAt: number | null;
  /** The keys that called most recently, newest first; at most `MAX_TOP_CALLERS`. */
  readonly top: readonly Pick<Caller, 'key' | 'owner' | 'lastAt'>[];
}

export const MAX_TOP_CALLERS = 5;

/** A query of the operations that a caller used. It has exactly one of `owner` and `chainOf`; see `UsageQuery`. */
export interface CallsQuery {
  /** Ids of operations. */
  readonly operations: readonly string[];
  readonly owner?: string;
  readonly chainOf?: string;
}

export interface Calls {
  readonly operation: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly requests: number;
  /** The keys that called the operation most recently, newest call first; a few at most. */
  readonly keys: readonly { readonly id: string; readonly lastAt: number; readonly requests: number }[];
}

export interface PreviewQuery {
  readonly plan: string;
  /** Ids of keys to examine instead of the plan's keys. */
  readonly keys?: readonly string[] | undefined;
  readonly limits: Limits;
  readonly now: number;
}

/** How many times a key went above a limit, and by how much. */
export interface Excess {
  /** Number of windows above the limit. */
  readonly count: number;
  /** Units required in the worst of these windows; 0 if there are none. */
  readonly peak: number;
}

export interface PreviewReport {
  /**
   * The beginning of the examined minutes, days and months, never before the first count. Null: the limits have no
   * monthly limit.
   */
  readonly minutesFrom: number;
  readonly daysFrom: number;
  readonly monthsFrom: number | null;
  /** Active keys of the plan without limits of their own. */
  readonly keysExamined: number;
  /** Examined keys whose quota went above a limit. */
  readonly keysAbove: number;
  /** Examined keys whose quota has already used the limit of the present day. */
  readonly keysUsedUp: number;
  /**
   * The worst keys above a limit, worst first. They are sorted by the number of months above the limit, then days, then
   * minutes. If several keys share a quota, only the newest is listed.
   */
  readonly keys: readonly {
    readonly key: string;
    readonly name: string;
    readonly owner: string;
    /** Number of examined keys that share the quota, including this key. */
    readonly sharing: number;
    readonly minutes: Excess;
    readonly days: Excess;
    readonly months: Excess;
  }[];
}

/** The facts behind the decision to refuse a request. */
export interface RefusalRecord {
  readonly requestId: string;
  readonly quotaId: string;
  readonly keyId: string;
  readonly at: number;
  /** Serializable as JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A refusal that is not stored itself. Its id refers to a stored refusal of the same key, reason and minute. */
export interface RepeatedRefusal {
  readonly requestId: string;
  readonly keyId: string;
  /** Request id and time of the stored refusal. */
  readonly storedId: string;
  readonly at: number;
}

export interface FoundRefusal extends RefusalRecord {
  /**
   * The key's requests from the minute of the refusal until the reason stopped applying, but for at least ten minutes
   * and at most a day. Minutes without requests are left out.
   */
  readonly minutes: readonly { readonly at: number; readonly requests: number; readonly refused: number }[];
  /**
   * Stored refusals of the same key and quota after this one, within the same period. If there are many, this contains
   * only the last ones.
   */
  readonly later: readonly Pick<RefusalRecord, 'at' | 'facts'>[];
}

/** A query of refusals. A refusal must match all filters. */
export interface RecentRefusalsQuery {
  /** Undefined: the keys are not filtered. */
  readonly keyIds?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  /** The id of a key. Selects the keys of its rotation chain. */
  readonly chainOf?: string | undefined;
  /** The error code of the response. */
  readonly code?: string | undefined;
  /** The id of the operation that was called. */
  readonly operation?: string | undefined;
  /** Ms since the Unix epoch. */
  readonly from: number;
  readonly limit: number;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ListedRefusal extends RefusalRecord {
  /** Name and owner of the key. Null: the key no longer exists. */
  readonly keyName: string | null;
  readonly owner: string | null;
}

export interface RefusalsPage {
  /** With a filter by code or operation, a page may have fewer than `limit` items although more pages follow. */
  readonly items: readonly ListedRefusal[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
}

/** The name under which keys are counted together while there are too many keys. */
export const OTHER_KEY = 'other';

/** Maximum number of rows per chunk. A chunk is one transaction, and one message to the worker. */
export const MAX_CHUNK_ROWS = 500;

/** Counts of one combination of key, operation, outcome and status class in one minute, or in a part of it. */
export interface UsageRow {
  /** Start of the minute, in ms since the Unix epoch. */
  readonly minute: number;
  /** Null: no key, or an unknown key. `OTHER_KEY`: keys that were counted together. */
  readonly keyId: string | null;
  /** Null: the requests matched no operation. */
  readonly operation: string | null;
  /** `SERVED`, or the code of the refusal. */
  readonly outcome: string;
  /** First digit of the status, 1 to 5; 0: the client disconnected before a response. */
  readonly statusClass: number;
  readonly requests: number;
  /** Charged units. */
  readonly units: number;
  /** Units required by requests that were not charged, because a quota or ban refused them. */
  readonly refusedUnits: number;
  readonly durations: Durations;
  /** Times of the first and the last of these requests, in ms since the Unix epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * `document`: requests that did not fit the document of their service. `candidate`: requests that do not fit its next
 * version. `unchecked`: requests whose body was not checked; the rule is the reason.
 */
export type ViolationKind = keyof typeof VIOLATION_KINDS;

/** Counts of requests of one key and operation that broke one rule in one hour, or in a part of it. */
export interface ViolationRow {
  /** As in `UsageRow`. */
  readonly keyId: string | null;
  readonly operation: string;
  readonly kind: ViolationKind;
  /** Start of the hour, in ms since the Unix epoch. */
  readonly hour: number;
  /** The check and the place, as in `required /name`. Null: all rules; each request is counted once. */
  readonly rule: string | null;
  readonly requests: number;
  /** Requests that were refused for it. */
  readonly refused: number;
  /** Times of the first and the last of these requests, in ms since the Unix epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** A query of requests that did not fit the document. Requests must match all filters. */
export interface ViolationsQuery {
  /** The names under which operations are counted: their ids, or those of `nameForCandidate`. */
  readonly operations: readonly string[];
  readonly kind: Exclude<ViolationKind, 'unchecked'>;
  /** `operationRule`: each rule of each operation. */
  readonly by: 'key' | 'owner' | 'rule' | 'operation' | 'operationRule';
  /** Bounds in ms since the Unix epoch, whole hours; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly owner?: string;
  /** The id of a key. */
  readonly key?: string;
  /** The id of a key. Selects the requests of all keys in its rotation chain. */
  readonly chainOf?: string;
  readonly limit: number;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string;
}

interface ViolationFigures {
  readonly requests: number;
  readonly refused: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface ViolationGroup extends ViolationFigures {
  /**
   * The id of a key, an owner, a rule as in `ViolationRow`, or an operation as in the query. Null: requests without a
   * key, or without an owner.
   */
  readonly group: string | null;
  /** The rule, by `rule` and `operationRule`. */
  readonly rule: string | null;
  /** By key: the owner and plan of the key; null if the key no longer exists. */
  readonly owner: string | null;
  readonly plan: string | null;
  /** Number of keys. 0 if the report has no numbers of keys. */
  readonly keys: number;
  /** Number of these keys that are never refused for it. 0 by operation if several operations are reported. */
  readonly exemptKeys: number;
  /** Number of owners of these keys. 0 by operation if several operations are reported. */
  readonly owners: number;
  /** By key or owner: the rules with the most requests, at most `MAX_TOP_RULES`. */
  readonly topRules: readonly { readonly rule: string; readonly requests: number }[];
  /** Number of rules. */
  readonly rules: number;
}

/** If several operations are reported without a filter, their keys are counted only up to this `limit`. */
export const MAX_COUNTED_OPERATIONS = 100;

/** Maximum number of rules that are listed for a key or owner. */
export const MAX_TOP_RULES = 5;

export interface ViolationsReport {
  /** Most requests first. */
  readonly items: readonly ViolationGroup[];
  /** Null: this is the last page. */
  readonly nextCursor: string | null;
  /** Requests whose body was not checked, by reason. */
  readonly unchecked: readonly (ViolationFigures & { readonly reason: string })[];
  /** Whether keys were counted: see `MAX_COUNTED_OPERATIONS`. */
  readonly hasKeys: boolean;
}

/** A set of counts that a gateway adds to the history together. */
export interface Chunk {
  /** Id of the gateway's process: new at every start. */
  readonly writer: string;
  /** Rises with every chunk of a writer. A chunk that is sent again keeps its number. */
  readonly sequence: number;
  /** At most `MAX_CHUNK_ROWS`. */
  readonly rows: readonly UsageRow[];
  /** At most `MAX_CHUNK_ROWS`. */
  readonly violations?: readonly ViolationRow[];
}

/** The result of deleting the history of an owner. */
export interface Deleted {
  /** Keys of the owner, with or without history. */
  readonly keys: number;
  /** Number of rows, counts and refusals together. */
  readonly rows: number;
}

/**
 * The history: counts of requests by minute, hour and day, the callers of each operation, and recent refusals. Times
 * are ms since the Unix epoch; days and months are UTC. Every call is rejected with `StoreUnavailable` if the database
 * does not respond in time.
 */
export interface HistoryStore {
  /**
   * Adds a chunk to every resolution, all or nothing. A writer sends its chunks in order, and sends each chunk again
   * until this resolves. So a chunk whose sequence is not above the last one is a repetition, and is ignored.
   */
  write(chunk: Chunk): Promise<void>;
  usage(query: UsageQuery): Promise<UsageReport>;
  /** Finds the groups that `usage` can return. See `GroupsQuery` for how to read them list by list. */
  usageGroups(query: GroupsQuery): Promise<GroupList>;
  /** Number of requests by owner. Owners without requests are left out. */
  requestsByOwner(query: OwnerRequestsQuery): Promise<ReadonlyMap<string, number>>;
  /** Finds the callers of an operation, newest first. */
  callers(query: CallersQuery): Promise<CallersPage>;
  /** Counts the callers of operations since a time. */
  audience(query: AudienceQuery): Promise<Audience>;
  /** Finds who sent requests that did not fit the document, or which rules they broke. */
  violations(query: ViolationsQuery): Promise<ViolationsReport>;
  /** Finds which of the given operations a caller has ever used. */
  calls(query: CallsQuery): Promise<Calls[]>;
  /** Finds the keys of a plan that went above new limits. */
  preview(query: PreviewQuery): Promise<PreviewReport>;
  /**
   * Stores the facts behind refusals, and ids that refer to stored refusals. Refusals and ids that are already stored
   * are ignored.
   */
  keepRefusals(refusals: readonly RefusalRecord[], repeated?: readonly RepeatedRefusal[]): Promise<void>;
  /**
   * Finds the stored refusals for a request id, newest first: refusals with this id, and refusals that a request with
   * this id repeated.
   *
   * @param quotaId finds only refusals of this quota. Callers choose request ids, so several may choose the same id.
   */
  findRefusals(requestId: string, quotaId?: string): Promise<FoundRefusal[]>;
  /** Newest first. */
  recentRefusals(query: RecentRefusalsQuery): Promise<RefusalsPage>;
  /**
   * Finds which of these keys the history no longer needs, so that they can be deleted. A key is no longer needed if it
   * has no stored counts or refusals, and was not used for as long as days are stored. The records of the operations
   * that these keys called are deleted.
   */
  forgetUnused(keyIds: readonly string[], now: number): Promise<string[]>;
  /** Deletes all data about the keys of an owner. Totals over all keys remain, because they identify no one. */
  deleteOwner(owner: string): Promise<Deleted>;
  /** Like `deleteOwner`, for single keys, which need not exist any more. @returns the number of deleted rows */
  deleteKeys(keyIds: readonly string[]): Promise<number>;
  /**
   * Deletes old data in slices, so that other calls are served between them. With PostgreSQL, this also moves rows into
   * the order in which reports read them.
   *
   * @returns the number of deleted rows
   */
  prune(now: number): Promise<number>;
  close(): Promise<void>;
}
