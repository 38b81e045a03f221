/**
 * Maximum numbers of concurrent attempts: `quick` excludes slow attempts, `total` includes them. Each standing has its
 * own slots, so that deliveries to failing webhooks that hang never delay other webhooks.
 */
const SLOTS = {
  working: { quick: 48, total: 192 },
  slow: { quick: 16, total: 64 },
  failing: { quick: 16, total: 64 },
} as const;

/** A webhook is `slow` if its last attempt here was slow and it is not failing. */
export type Standing = keyof typeof SLOTS;

/** An attempt that runs longer than this is slow, and releases its slot. */
const SLOW_MS = 2000;
/** Maximum number of webhooks that are remembered as slow. Beyond this number, the oldest are forgotten. */
const MAX_SLOW_WEBHOOKS = 1000;

/** Limits the concurrent attempts of a gateway, and thereby its connections and memory. */
export class DeliverySlots {
  readonly #freed: () => void;
  /** Number of slow attempts, by webhook. */
  readonly #slow = new Map<string, number>();
  /** Slow webhooks, in the order in which they became slow. */
  readonly #slowWebhooks = new Set<string>();
  readonly #taken = {
    working: { quick: 0, total: 0 },
    slow: { quick: 0, total: 0 },
    failing: { quick: 0, total: 0 },
  };

  /** @param freed called when there is room for another attempt */
  constructor(freed: () => void) {
    this.#freed = freed;
  }

  get free(): Readonly<Record<Standing, number>> {
    return { working: this.#freeOf('working'), slow: this.#freeOf('slow'), failing: this.#freeOf('failing') };
  }

  /** Webhooks with a slow attempt in progress. They get no further attempts until it ends. */
  get slow(): string[] {
    return [...this.#slow.keys()];
  }

  /** Webhooks whose last attempt was slow, even if it succeeded. */
  get slowWebhooks(): string[] {
    return [...this.#slowWebhooks];
  }

  /** Takes a slot. @returns a function that releases the slot */
  enter(webhookId: string, standing: Standing): () => void {
    const taken = this.#taken[standing];
    taken.quick += 1;
    taken.total += 1;
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
      taken.total -= 1;
      if (isSlow) this.#leaveSlow(webhookId);
      else {
        taken.quick -= 1;
        this.#slowWebhooks.delete(webhookId);
      }
      this.#freed();
    };
  }

  #freeOf(standing: Standing): number {
    const [most, taken] = [SLOTS[standing], this.#taken[standing]];
    return Math.max(0, Math.min(most.quick - taken.quick, most.total - taken.total));
  }

  #remember(webhookId: string): void {
    this.#slowWebhooks.delete(webhookId);
    this.#slowWebhooks.add(webhookId);
    const [oldest = ''] = this.#slowWebhooks;
    if (this.#slowWebhooks.size > MAX_SLOW_WEBHOOKS) this.#slowWebhooks.delete(oldest);
  }

  #leaveSlow(webhookId: string): void {
    const count = (this.#slow.get(webhookId) ?? 0) - 1;
    if (count > 0) this.#slow.set(webhookId, count);
    else this.#slow.delete(webhookId);
  }
}
