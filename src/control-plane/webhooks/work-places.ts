/**
 * How many attempts run at once: `quick` of those that do not take long, `inAll` with those that do. Webhooks in trouble
 * have places of their own, since any number of them may hang: the others must never wait for one of theirs.
 */
const PLACES = { working: { quick: 48, inAll: 192 }, troubled: { quick: 16, inAll: 64 } } as const;

/** An attempt that runs for longer than this makes room for others. */
const SLOW_MS = 2000;
/** Webhooks whose last attempt took long are remembered, the latest of them. */
const MAX_TARDY = 1000;

export type Standing = keyof typeof PLACES;

/** How many attempts a gateway makes at once: bounds its connections and its memory. */
export class WorkPlaces {
  readonly #freed: () => void;
  /** Attempts that take long, by webhook. */
  readonly #slow = new Map<string, number>();
  /** In the order in which they were seen to take long. */
  readonly #slowWebhooks = new Set<string>();
  readonly #taken = { working: { quick: 0, inAll: 0 }, troubled: { quick: 0, inAll: 0 } };

  /** @param freed called when there is room again */
  constructor(freed: () => void) {
    this.#freed = freed;
  }

  get free(): Readonly<Record<Standing, number>> {
    return { working: this.#freeOf('working'), troubled: this.#freeOf('troubled') };
  }

  /** Webhooks with an attempt that takes long: they get no more until it is over. */
  get slow(): string[] {
    return [...this.#slow.keys()];
  }

  /** Webhooks whose last attempt took long: they are in trouble, whatever they answered. */
  get slowWebhooks(): string[] {
    return [...this.#slowWebhooks];
  }

  /** Takes a place. @returns gives it back */
  enter(webhookId: string, standing: Standing): () => void {
    const taken = this.#taken[standing];
    taken.quick += 1;
    taken.inAll += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      taken.quick -= 1;
      this.#slow.set(webhookId, (this.#slow.get(webhookId) ?? 0) + 1);
      this.#remember(webhookId);
      this.#freed();
    }, SLOW_MS).unref();
    return () => {
      clearTimeout(timer);
      taken.inAll -= 1;
      if (isSlow) this.#leaveSlow(webhookId);
      else {
        taken.quick -= 1;
        this.#slowWebhooks.delete(webhookId);
      }
      this.#freed();
    };
  }

  #freeOf(standing: Standing): number {
    const [most, taken] = [PLACES[standing], this.#taken[standing]];
    return Math.max(0, Math.min(most.quick - taken.quick, most.inAll - taken.inAll));
  }

  #remember(webhookId: string): void {
    this.#slowWebhooks.delete(webhookId);
    this.#slowWebhooks.add(webhookId);
    const [oldest = ''] = this.#slowWebhooks;
    if (this.#slowWebhooks.size > MAX_TARDY) this.#slowWebhooks.delete(oldest);
  }

  #leaveSlow(webhookId: string): void {
    const count = (this.#slow.get(webhookId) ?? 0) - 1;
    if (count > 0) this.#slow.set(webhookId, count);
    else this.#slow.delete(webhookId);
  }
}
