import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { EventStream } from '../http/event-stream.ts';
import type { StillAllowed } from '../caller/permission.ts';
import type { Tunnel } from './tunnel.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './frames.ts';

/** Time between two checks of the open connections. */
const CHECK_MS = 1000;

export interface TunnelRegistrySettings {
  /** Maximum open at once for one key (or address, if there is no key). */
  readonly maxPerKey: number;
  /** A tunnel is closed after this long without a byte in either direction. */
  readonly idleMs: number;
  readonly logger: Logger;
}

/** A connection that outlives the admission of its request: upgraded, or an event stream. */
interface LongLived {
  readonly socket: Socket;
  /** @param code the reason, as a WebSocket close code (RFC 6455, 7.4.1) */
  close(code: number): void;
}

interface Entry {
  readonly connection: LongLived;
  readonly stillAllowed: StillAllowed;
  /** Set if the connection is closed when idle. */
  readonly activity: { bytes: number; at: number } | null;
}

/**
 * The connections that outlive the admission of their request: closed on drain, and when their key would no longer be
 * admitted. Upgraded ones are counted by key, and closed when idle; event streams may be idle for as long as their
 * upstream lets them.
 */
export class TunnelRegistry {
  readonly #settings: TunnelRegistrySettings;
  readonly #open = new Set<Entry>();
  readonly #counts = new Map<string, number>();
  #draining = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(settings: TunnelRegistrySettings) {
    this.#settings = settings;
  }

  get draining(): boolean {
    return this.#draining;
  }

  hasRoom(callerId: string): boolean {
    return (this.#counts.get(callerId) ?? 0) < this.#settings.maxPerKey;
  }

  /** @returns a function that removes it, if no tunnel comes of it; a tunnel that closes removes itself */
  add(callerId: string, tunnel: Tunnel, stillAllowed: StillAllowed): () => void {
    const activity = { bytes: 0, at: performance.now() };
    const untrack = this.#track({ connection: tunnel, stillAllowed, activity });
    this.#counts.set(callerId, (this.#counts.get(callerId) ?? 0) + 1);
    const remove = () => {
      if (!untrack()) return;
      const left = (this.#counts.get(callerId) ?? 1) - 1;
      if (left > 0) this.#counts.set(callerId, left);
      else this.#counts.delete(callerId);
    };
    tunnel.socket.once('close', () => {
      remove();
      // A service can emit the event on a socket that is still open, which nothing would close any more.
      tunnel.socket.destroy();
    });
    return remove;
  }

  /** @param res an event stream whose head is written */
  addEventStream(res: ServerResponse, stillAllowed: StillAllowed): void {
    const connection = new EventStream(res);
    const untrack = this.#track({ connection, stillAllowed, activity: null });
    res.once('close', () => void untrack());
    // Not at once: whoever wrote the head may be about to write what follows it.
    if (this.#draining) setImmediate(() => connection.close());
  }

  /** Tells all consumers to leave, and closes those left after the deadline. */
  drain(deadlineMs: number): void {
    this.#draining = true;
    for (const { connection } of this.#open) connection.close(GOING_AWAY);
    setTimeout(() => {
      for (const { connection } of this.#open) connection.socket.destroy();
    }, deadlineMs).unref();
  }

  /** @returns a function that removes the entry once it is over; it returns false if the entry was removed already */
  #track(entry: Entry): () => boolean {
    this.#open.add(entry);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS);
    return () => {
      const held = this.#open.delete(entry);
      if (this.#open.size === 0 && this.#timer !== null) {
        clearInterval(this.#timer);
        this.#timer = null;
      }
      return held;
    };
  }

  #check(): void {
    const now = performance.now();
    for (const { connection, stillAllowed, activity } of this.#open) {
      if (activity !== null && this.#isIdle(connection.socket, activity, now)) connection.close(GOING_AWAY);
      stillAllowed().then(
        (allowed) => {
          if (!allowed) connection.close(POLICY_VIOLATION);
        },
        // Not known at the moment: the next check asks again.
        (error: unknown) => this.#settings.logger.debug({ err: error }, 'a connection could not be checked'),
      );
    }
  }

  #isIdle({ bytesRead, bytesWritten }: Socket, activity: { bytes: number; at: number }, now: number): boolean {
    const bytes = bytesRead + bytesWritten;
    if (bytes === activity.bytes) return now - activity.at >= this.#settings.idleMs;
    Object.assign(activity, { bytes, at: now });
    return false;
  }
}
