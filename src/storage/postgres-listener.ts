import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../base/error-types.ts';
import { PostgresUnavailable, toStartError } from './postgres-errors.ts';
import { LISTENER_TIMEOUTS, SILENCE_MS } from './postgres-timeouts.ts';
import { createClientConfig, PostgresSocket } from './postgres-pool.ts';

export const CHANGES_CHANNEL = 'tollgate_changes';

const HEARTBEAT_INTERVAL_MS = 1000;
const RETRY_MS = 500;

interface ListenerEvents {
  /** Called on every new connection, before PostgreSQL counts as up. */
  readonly prepare: () => Promise<void>;
  /** Called whenever PostgreSQL responds. `writable` says whether it accepts changes. */
  readonly up: (writable: boolean) => void;
  readonly failed: (failure: PostgresUnavailable | Error) => void;
  /** Called for each message about changes, from this gateway or another. */
  readonly message: (payload: string) => void;
  /**
   * Called when messages may have been missed, because the connection was lost or renewed, or receives no
   * notifications.
   */
  readonly missed: () => void;
  /** Called once if the connection works but `LISTEN` does not. */
  readonly listenFails: () => void;
}

interface Connection {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly lost: AbortController;
  /** When the last heartbeat that arrived on this connection was sent, by `performance.now()`. */
  lastHeartbeatAt: number | null;
}

/**
 * A connection that listens for changes. It notifies itself every second to check that PostgreSQL is up, and reconnects
 * whenever it is lost.
 */
export class PostgresListener {
  readonly #url: string;
  readonly #events: ListenerEvents;
  readonly #heartbeatChannel = `tollgate_beat_${randomUUID().replaceAll('-', '')}`;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #hasReportedListenFailure = false;
  #heardUntil = -Infinity;

  constructor(url: string, events: ListenerEvents) {
    this.#url = url;
    this.#events = events;
  }

  /**
   * The time, by `performance.now()`, up to which all changes have been announced, or reported as missed. PostgreSQL
   * delivers notifications in the order of their commits, so a heartbeat that arrives proves that everything committed
   * before it was sent has arrived too.
   */
  get heardUntil(): number {
    return this.#heardUntil;
  }

  /**
   * Connects and stays connected.
   *
   * @returns a promise that resolves after the first attempt, even if the attempt failed
   * @throws StartError if PostgreSQL refuses the connection for a reason that retrying cannot fix
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

  async #run(onAttempt: (error?: unknown) => void): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const connection = this.#open();
      try {
        await this.#listen(connection, onAttempt);
      } catch (error) {
        if (!this.#closing.signal.aborted) {
          const failure = toStartError(error);
          this.#events.missed();
          this.#events.failed(Error.isError(failure) ? failure : new Error(String(failure)));
          onAttempt(failure);
        }
      } finally {
        connection.socket.destroy();
      }
      await this.#pause(RETRY_MS, this.#closing.signal);
    }
    onAttempt();
  }

  #open(): Connection {
    const lost = new AbortController();
    const socket = new PostgresSocket().on('error', () => {});
    const client = new pg.Client({
      ...createClientConfig({ url: this.#url, purpose: 'events', ...LISTENER_TIMEOUTS }),
      stream: () => socket,
    });
    const connection: Connection = { client, socket, lost, lastHeartbeatAt: null };
    // These errors occur outside of a query, so no query reports them.
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === this.#heartbeatChannel) connection.lastHeartbeatAt = Number(payload);
      else this.#events.message(payload);
    });
    return connection;
  }

  async #listen(connection: Connection, onAttempt: () => void): Promise<void> {
    const { client, lost } = connection;
    await client.connect();
    await this.#events.prepare();
    await client.query(`LISTEN ${CHANGES_CHANNEL}`);
    await client.query(`LISTEN ${this.#heartbeatChannel}`);
    const listeningSince = performance.now();
    const stopSignal = AbortSignal.any([this.#closing.signal, lost.signal]);
    for (let isFirst = true; !stopSignal.aborted; isFirst = false) {
      const { rows } = await client.query<{ readonly: string }>(
        `SELECT pg_notify($1, $2), current_setting('transaction_read_only') AS readonly`,
        [this.#heartbeatChannel, String(performance.now())],
      );
      if (connection.lastHeartbeatAt === null) this.#handleMissingHeartbeat(listeningSince);
      else if (performance.now() - connection.lastHeartbeatAt > SILENCE_MS) throw new PostgresUnavailable('timeout');
      if (isFirst) this.#events.missed();
      // Changes before the first heartbeat of a connection are only covered once they were reported as missed.
      this.#heardUntil = connection.lastHeartbeatAt ?? this.#heardUntil;
      this.#events.up(rows[0]?.readonly !== 'on');
      onAttempt();
      await this.#pause(HEARTBEAT_INTERVAL_MS, stopSignal);
    }
    if (lost.signal.aborted) throw new PostgresUnavailable('unreachable', 'the connection was closed');
  }

  /**
   * Handles a missing heartbeat. Notifications may be missing too, so changes are reported as missed at every
   * heartbeat.
   */
  #handleMissingHeartbeat(listeningSince: number): void {
    this.#events.missed();
    if (this.#hasReportedListenFailure || performance.now() - listeningSince < SILENCE_MS) return;
    this.#hasReportedListenFailure = true;
    this.#events.listenFails();
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}
