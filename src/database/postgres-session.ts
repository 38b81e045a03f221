import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { PostgresUnavailable, startErrorOf } from './postgres-errors.ts';
import { clientConfig } from './postgres-pool.ts';

export const CHANGES_CHANNEL = 'tollgate_changes';

const BEAT_MS = 1000;
/** Silence after which a connection counts as lost. */
const SILENCE_MS = 3000;
const RETRY_MS = 500;

export interface SessionEvents {
  /** Runs on every new connection, before it counts as up. */
  readonly prepare: () => Promise<void>;
  /** It answers, and says whether it takes changes. */
  readonly up: (writable: boolean) => void;
  readonly failed: (failure: PostgresUnavailable | Error) => void;
  /** Another gateway has said something on the channel of changes. */
  readonly message: (payload: string) => void;
  /** Something may have been missed: when the connection is lost, made anew, or cannot hear. */
  readonly missed: () => void;
  /** `LISTEN` does not work, though the connection does. Told once. */
  readonly deaf: () => void;
}

interface Connection {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly lost: AbortController;
  /** When it last heard a beat of its own, by the monotonic clock. */
  heardAt: number | null;
}

/**
 * A connection that listens for changes, and tells whether PostgreSQL is there: it notifies itself every second. It
 * is made anew for as long as it takes.
 */
export class PostgresSession {
  readonly #url: string;
  readonly #events: SessionEvents;
  readonly #beatChannel = `tollgate_beat_${randomUUID().replaceAll('-', '')}`;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #toldDeaf = false;

  constructor(url: string, events: SessionEvents) {
    this.#url = url;
    this.#events = events;
  }

  /**
   * Connects, and stays connected.
   *
   * @returns after the first attempt
   * @throws StartError if that was refused in a way that waiting does not mend
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#running = this.#run((error) => {
        if (error instanceof StartError) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(attempted: (error?: unknown) => void): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const connection = this.#open();
      try {
        await this.#listen(connection, attempted);
      } catch (error) {
        if (!this.#closing.signal.aborted) {
          const failure = startErrorOf(error);
          this.#events.missed();
          this.#events.failed(Error.isError(failure) ? failure : new Error(String(failure)));
          attempted(failure);
        }
      } finally {
        connection.socket.destroy();
      }
      await this.#pause(RETRY_MS, this.#closing.signal);
    }
    attempted();
  }

  #open(): Connection {
    const lost = new AbortController();
    const options = { purpose: 'events', connections: 1, connectTimeoutMs: 2000, statementTimeoutMs: SILENCE_MS - 500 };
    const socket = new Socket().on('error', () => {});
    const client = new pg.Client({ ...clientConfig({ url: this.#url, ...options }), stream: () => socket });
    const connection: Connection = { client, socket, lost, heardAt: null };
    // What a query is not told of: between two beats, nothing else would notice.
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === this.#beatChannel) connection.heardAt = performance.now();
      else this.#events.message(payload);
    });
    return connection;
  }

  async #listen(connection: Connection, attempted: () => void): Promise<void> {
    const { client, lost } = connection;
    await client.connect();
    await this.#events.prepare();
    await client.query(`LISTEN ${CHANGES_CHANNEL}`);
    await client.query(`LISTEN ${this.#beatChannel}`);
    const since = performance.now();
    const stopped = AbortSignal.any([this.#closing.signal, lost.signal]);
    for (let first = true; !stopped.aborted; first = false) {
      const { rows } = await client.query<{ readonly: string }>(
        `SELECT pg_notify($1, ''), current_setting('transaction_read_only') AS readonly`,
        [this.#beatChannel],
      );
      if (connection.heardAt === null) this.#cannotHearYet(since);
      else if (performance.now() - connection.heardAt > SILENCE_MS) throw new PostgresUnavailable('timeout');
      if (first) this.#events.missed();
      this.#events.up(rows[0]?.readonly !== 'on');
      attempted();
      await this.#pause(BEAT_MS, stopped);
    }
    if (lost.signal.aborted) throw new PostgresUnavailable('unreachable', 'the connection was closed');
  }

  /** Until its own beats come back, a connection may hear nothing: what is cached then lives for one beat. */
  #cannotHearYet(since: number): void {
    this.#events.missed();
    if (this.#toldDeaf || performance.now() - since < SILENCE_MS) return;
    this.#toldDeaf = true;
    this.#events.deaf();
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}
