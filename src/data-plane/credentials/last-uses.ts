import { MINUTE_MS } from '../../base/time.ts';
import type { CredentialSource } from './credential-source.ts';
import type { Credential } from '../../base/credential.ts';

/** Records its own use in two fields, so that each use costs a request only two writes. */
export interface Used {
  readonly credential: Credential;
  /** Milliseconds, by the monotonic clock. */
  usedAt: number;
  /** Whether it is already listed for the next flush. */
  noted: boolean;
}

/** Remembers when keys were last used until the registry has been told. */
export class LastUses {
  readonly #source: Pick<CredentialSource, 'touchKeys'>;
  readonly #clock: () => number;
  readonly #wallClock: () => number;
  #noted: Used[] = [];
  /** Key id → ms since the Unix epoch, to the minute. Only keys that are allowed in. */
  #unsent = new Map<string, number>();
  #flushed: Promise<void> = Promise.resolve();

  constructor(source: Pick<CredentialSource, 'touchKeys'>, clock: () => number, wallClock: () => number) {
    this.#source = source;
    this.#clock = clock;
    this.#wallClock = wallClock;
  }

  note(used: Used, now: number): void {
    used.usedAt = now;
    if (used.noted) return;
    used.noted = true;
    this.#noted.push(used);
  }

  /** What could not be sent is kept for the next flush. Flushes run one by one, so that the last one ends last. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(
      () => this.#send(),
      () => this.#send(),
    );
    return this.#flushed;
  }

  async #send(): Promise<void> {
    this.#collect();
    if (this.#unsent.size === 0) return;
    const sending = this.#unsent;
    this.#unsent = new Map();
    try {
      await this.#source.touchKeys(sending);
    } catch (error) {
      for (const [id, at] of sending) this.#keep(id, at);
      throw error;
    }
  }

  #collect(): void {
    const used = this.#noted;
    this.#noted = [];
    const offsetMs = this.#wallClock() - this.#clock();
    for (const one of used) {
      one.noted = false;
      const { keyId, status, expiresAt } = one.credential;
      const at = one.usedAt + offsetMs;
      if (status === 'active' && (expiresAt === null || at < expiresAt)) this.#keep(keyId, at - (at % MINUTE_MS));
    }
  }

  #keep(id: string, at: number): void {
    if (at > (this.#unsent.get(id) ?? 0)) this.#unsent.set(id, at);
  }
}
