import type { Logger } from 'pino';
import type { DatabaseState } from './database.ts';
import { PostgresUnavailable } from './postgres/postgres-errors.ts';

/** Whether PostgreSQL is there, as far as the connection that listens knows, and the one line that says so. */
export class PostgresHealth {
  state: DatabaseState = 'away';
  /** What is answered while it is away. */
  failure = new PostgresUnavailable('unreachable', 'it has not answered since this gateway was started');
  readonly #logger: Logger;
  /** What the last line was about. */
  #told = '';

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  up(writable: boolean): void {
    this.state = writable ? 'up' : 'degraded';
    const told = writable ? 'up' : 'read_only';
    if (told === this.#told) return;
    const first = this.#told === '';
    this.#told = told;
    if (!writable) this.#logger.warn(new PostgresUnavailable('read_only').message);
    else if (first) this.#logger.info('connected to PostgreSQL');
    else this.#logger.info('PostgreSQL answers again');
  }

  /** @param mayAnswer whether its tables are known to be there, so that other connections may be of use */
  failed(failure: Error, mayAnswer: boolean): void {
    const isOurs = failure instanceof PostgresUnavailable;
    const kind = isOurs ? failure.kind : failure.message;
    const isPartial = kind === 'too_many_connections' || kind === 'read_only';
    this.state = mayAnswer && isPartial ? 'degraded' : 'away';
    this.failure = isOurs ? failure : new PostgresUnavailable('unreachable', failure.message);
    if (kind === this.#told) return;
    this.#told = kind;
    this.#logger.warn({ failure: kind }, `${failure.message}; trying again until it works`);
  }
}
