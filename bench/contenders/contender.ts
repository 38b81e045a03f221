import type { RunningGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import type { Tool } from '../lab/tools.ts';

/** One row of the table. */
export interface Contender {
  /** The name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** Where the work is not the same as the others': a footnote of the table. */
  readonly differs?: string;
  /**
   * Redis commands per request. Compared with Redis's own counters: a gateway that decides by itself because Redis was
   * slow for a moment does other work than the row says.
   */
  readonly redis?: RedisWork;
  /** It is skipped where one of these is missing. */
  readonly needs?: readonly Tool[];
  start(lab: Lab): Promise<Running>;
}

/** Calls of a command that each request needs; `eval` stands for `evalsha` too. */
export interface RedisWork {
  readonly command: 'eval' | 'get' | 'ping';
  readonly calls: number;
}

/** One script of Tollgate's decides many requests, and reads the quota of each. */
export const ADMITS: RedisWork = { command: 'get', calls: 1 };

/** A running contender. */
export interface Running {
  /** Every process whose CPU counts. */
  pids(): number[];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Status that every response must have. If one differs, the figure means nothing. */
  readonly status: number;
  /** Expected length of the body in bytes, if it is not the pet. */
  readonly answerBytes?: number | undefined;
  stop(): Promise<void>;
}

/** A gateway as a contender: asked for one pet with this key. */
export function asRunning({ program, petUrl }: RunningGateway, key: string, status = 200): Running {
  return {
    pids: () => program.pids(),
    url: petUrl,
    headers: { 'X-API-Key': key },
    status,
    stop: () => program.stop(),
  };
}
