import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { EventStream } from '../answers/event-stream.ts';
import type { StillAllowed } from './permission.ts';
import { closeIdleAndRevoked, type Checked } from './close-idle-and-revoked.ts';
import type { Tunnel } from './tunnel.ts';
import { GOING_AWAY } from './frames.ts';

export interface TunnelRegistrySettings {
  /** Maximum open at once for one key (or address, if there is no key). */
  readonly maxPerKey: number;
  /** A tunnel is closed after this long without a byte in either direction. */
  readonly idleMs: number;
  readonly logger: Logger;
}

/**
 * The connections that outlive the admission of their request: closed on drain, and in between by
 * `closeIdleAndRevoked`. Upgraded ones are counted by key, and closed when idle; event streams may be idle for as long
 * as their upstream lets them.
 */
export class TunnelRegistry {
  readonly #settings: TunnelRegistrySettings;
  readonly #open = new Set<Checked>();
  readonly #counts = new Map<string, number>();
  #draining = false;
  #stopChecks: (() => void) | null = null;

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
  #track(entry: Checked): () => boolean {
    this.#open.add(entry);
    const { idleMs, logger } = this.#settings;
    this.#stopChecks ??= closeIdleAndRevoked(this.#open, idleMs, logger);
    return () => {
      const held = this.#open.delete(entry);
      if (this.#open.size === 0) {
        this.#stopChecks?.();
        this.#stopChecks = null;
      }
      return held;
    };
  }
}
