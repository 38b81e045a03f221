import type { Logger } from 'pino';
import type { DatabaseState } from './database.ts';
import { PostgresUnavailable } from './postgres/postgres-errors.ts';

/** Whether PostgreSQL is up, as far as the listening connection knows. Logs one line per change. */
export class PostgresHealth {
  state: DatabaseState = 'away';
  /** Why it is not up; what calls are rejected with while it is away. */
  failure = new PostgresUnavailable('unreachable', 'it has not answered since this gateway was started');
  readonly #logger: Logger;
  /** What the last line was about. */
  #lastLogged = '';

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  up(writable: boolean): void {
    this.state = writable ? 'up' : 'degraded';
    if (!writable) this.failure = new PostgresUnavailable('read_only');
    const status = writable ? 'up' : 'read_only';
    if (status === this.#lastLogged) return;
    const first = this.#lastLogged === '';
    this.#lastLogged = status;
    if (!writable) this.#logger.warn(this.failure.message);
    else if (first) this.#logger.info('connected to PostgreSQL');
    else this.#logger.info('PostgreSQL answers again');
  }

  /** @param mayAnswer whether its tables are known to exist, so that other connections may still work */
  failed(failure: Error, mayAnswer: boolean): void {
    const isOurs = failure instanceof PostgresUnavailable;
    const kind = isOurs ? failure.kind : failure.message;
    const isPartial = kind === 'too_many_connections' || kind === 'read_only';
    this.state = mayAnswer && isPartial ? 'degraded' : 'away';
    this.failure = isOurs ? failure : new PostgresUnavailable('unreachable', failure.message);
    if (kind === this.#lastLogged) return;
    this.#lastLogged = kind;
    this.#logger.warn({ failure: kind }, `${failure.message}; trying again until it works`);
  }
}
