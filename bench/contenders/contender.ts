import type { RunningGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import type { Tool } from '../lab/tools.ts';

/** One row of the table. */
export interface Contender {
  /** The contender's name, as given to `--only`. */
  readonly name: string;
  readonly title: string;
  /** How its work differs from that of the other contenders. It becomes a footnote of the table. */
  readonly differs?: string;
  /**
   * The Redis commands per request. They are compared with Redis's own counters, because a gateway decides by itself if
   * Redis is slow for a moment. The figures would then not be those of the row's title.
   */
  readonly redis?: RedisWork;
  /** The contender is skipped if one of these tools is missing. */
  readonly needs?: readonly Tool[];
  start(lab: Lab): Promise<Running>;
}

/** A command that each request needs, and the number of its calls per request. `eval` includes `evalsha`. */
export interface RedisWork {
  readonly command: 'eval' | 'get' | 'ping';
  readonly calls: number;
}

/** The Redis command per admission. One script call of Tollgate decides many requests, but reads the quota of each. */
export const WORK_PER_ADMISSION: RedisWork = { command: 'get', calls: 1 };

/** A running contender. */
export interface Running {
  /** The processes whose CPU time counts. */
  pids(): number[];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The status that every response must have. If the status of any response differs, the measurement is meaningless.
   */
  readonly status: number;
  /** Expected length of the body in bytes, if it is not the pet. */
  readonly responseBytes?: number | undefined;
  stop(): Promise<void>;
}

/** Returns a gateway as a contender. Its requests get one pet with this key. */
export function toRunningContender({ program, petUrl }: RunningGateway, key: string, status = 200): Running {
  return {
    pids: () => program.pids(),
    url: petUrl,
    headers: { 'X-API-Key': key },
    status,
    stop: () => program.stop(),
  };
}
