/** Attempts at once. */
const MAX_QUICK = 64;
/** Attempts at once, with those that take long. */
const MAX_IN_ALL = 256;
/** An attempt that runs for longer than this makes room for others: endpoints that hang must not hold up those that work. */
const SLOW_MS = 2000;

/** How many attempts a gateway makes at once: bounds its connections and its memory. */
export class WorkPlaces {
  readonly #freed: () => void;
  /** Attempts that take long, by webhook. */
  readonly #slow = new Map<string, number>();
  #quick = 0;
  #all = 0;

  /** @param freed called when there is room again */
  constructor(freed: () => void) {
    this.#freed = freed;
  }

  get free(): number {
    return Math.max(0, Math.min(MAX_QUICK - this.#quick, MAX_IN_ALL - this.#all));
  }

  /** Webhooks with an attempt that takes long: they get no more until it is over. */
  get slow(): string[] {
    return [...this.#slow.keys()];
  }

  /** Takes a place. @returns gives it back */
  enter(webhookId: string): () => void {
    this.#quick += 1;
    this.#all += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#quick -= 1;
      this.#slow.set(webhookId, (this.#slow.get(webhookId) ?? 0) + 1);
      this.#freed();
    }, SLOW_MS).unref();
    return () => {
      clearTimeout(timer);
      this.#all -= 1;
      if (isSlow) this.#leaveSlow(webhookId);
      else this.#quick -= 1;
      this.#freed();
    };
  }

  #leaveSlow(webhookId: string): void {
    const count = (this.#slow.get(webhookId) ?? 0) - 1;
    if (count > 0) this.#slow.set(webhookId, count);
    else this.#slow.delete(webhookId);
  }
}
