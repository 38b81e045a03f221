import type { Logger } from 'pino';
import type { Tunnel } from './tunnel.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './websocket-frames.ts';

/** Between two looks at the open tunnels, in ms. */
const LOOK_MS = 1000;

export interface TunnelSettings {
  /** At once, for one key (or address, where there is no key). */
  readonly perKey: number;
  /** ms without a byte in either direction */
  readonly idle: number;
  readonly logger: Logger;
}

interface Entry {
  readonly tunnel: Tunnel;
  /** Whether its key would still open it. */
  readonly stillAllowed: () => Promise<boolean>;
  bytes: number;
  activeAt: number;
}

/** The upgraded connections that are open: counted by key, and closed when idle, no longer allowed, or on drain. */
export class Tunnels {
  readonly #settings: TunnelSettings;
  readonly #open = new Set<Entry>();
  readonly #counts = new Map<string, number>();
  #draining = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(settings: TunnelSettings) {
    this.#settings = settings;
  }

  get draining(): boolean {
    return this.#draining;
  }

  hasRoom(party: string): boolean {
    return (this.#counts.get(party) ?? 0) < this.#settings.perKey;
  }

  /** @returns takes it off again, where no tunnel comes of it; one that closes takes itself off */
  add(party: string, tunnel: Tunnel, stillAllowed: () => Promise<boolean>): () => void {
    const entry = { tunnel, stillAllowed, bytes: 0, activeAt: performance.now() };
    this.#open.add(entry);
    this.#counts.set(party, (this.#counts.get(party) ?? 0) + 1);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    const remove = () => {
      if (!this.#open.delete(entry)) return;
      const left = (this.#counts.get(party) ?? 1) - 1;
      if (left > 0) this.#counts.set(party, left);
      else this.#counts.delete(party);
      if (this.#open.size === 0 && this.#timer !== null) {
        clearInterval(this.#timer);
        this.#timer = null;
      }
    };
    tunnel.socket.once('close', remove);
    return remove;
  }

  /** Tells all consumers to go, and after the deadline (ms) closes what is left. */
  drain(deadline: number): void {
    this.#draining = true;
    for (const { tunnel } of this.#open) tunnel.close(GOING_AWAY);
    setTimeout(() => {
      for (const { tunnel } of this.#open) tunnel.socket.destroy();
    }, deadline).unref();
  }

  #look(): void {
    const now = performance.now();
    for (const entry of this.#open) {
      const { socket } = entry.tunnel;
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== entry.bytes) Object.assign(entry, { bytes, activeAt: now });
      else if (now - entry.activeAt >= this.#settings.idle) entry.tunnel.close(GOING_AWAY);
      entry.stillAllowed().then(
        (allowed) => {
          if (!allowed) entry.tunnel.close(POLICY_VIOLATION);
        },
        // Not known now: asked again at the next look.
        (error: unknown) => this.#settings.logger.debug({ err: error }, 'a tunnel could not be checked'),
      );
    }
  }
}
