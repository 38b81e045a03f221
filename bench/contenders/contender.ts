import type { RunningGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import type { Tool } from '../lab/tools.ts';

/** One row of the table. */
export interface Contender {
  /** The name of the contender for `--only`. */
  readonly name: string;
  readonly title: string;
  /** How the work differs from that of other contenders. This is a footnote of the table. */
  readonly differs?: string;
  /**
   * Redis commands per request, compared with Redis's own counters. If Redis is slow for a moment, a gateway decides by
   * itself. Its work then differs from what the row says.
   */
  readonly redis?: RedisWork;
  /** The contender is skipped if one of these tools is missing. */
  readonly needs?: readonly Tool[];
  start(lab: Lab): Promise<Running>;
}

/** A command that each request needs, and how often. `eval` also means `evalsha`. */
export interface RedisWork {
  readonly command: 'eval' | 'get' | 'ping';
  readonly calls: number;
}

/** A script of Tollgate decides many requests, but reads the quota of each request. */
export const ADMITS: RedisWork = { command: 'get', calls: 1 };

/** A running contender. */
export interface Running {
  /** The processes whose CPU time counts. */
  pids(): number[];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status that every response must have. If one differs, the result means nothing. */
  readonly status: number;
  /** Expected length of the body in bytes, if it is not the pet. */
  readonly answerBytes?: number | undefined;
  stop(): Promise<void>;
}

/** A gateway as a contender. Requests ask for one pet with this key. */
export function asRunning({ program, petUrl }: RunningGateway, key: string, status = 200): Running {
  return {
    pids: () => program.pids(),
    url: petUrl,
    headers: { 'X-API-Key': key },
    status,
    stop: () => program.stop(),
  };
}
