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
  readonly #onFreed: () => void;
  /** Number of slow attempts, by webhook. */
  readonly #slowAttempts = new Map<string, number>();
  /** Slow webhooks, in the order in which they became slow. */
  readonly #slowWebhooks = new Set<string>();
  readonly #taken = {
    working: { quick: 0, total: 0 },
    slow: { quick: 0, total: 0 },
    failing: { quick: 0, total: 0 },
  };

  /** @param onFreed called when there is room for another attempt */
  constructor(onFreed: () => void) {
    this.#onFreed = onFreed;
  }

  get freeSlots(): Readonly<Record<Standing, number>> {
    return { working: this.#countFree('working'), slow: this.#countFree('slow'), failing: this.#countFree('failing') };
  }

  /** Webhooks with a slow attempt in progress. They get no further attempts until it ends. */
  get busyWebhooks(): string[] {
    return [...this.#slowAttempts.keys()];
  }

  /** Webhooks whose last attempt was slow, even if it succeeded. */
  get slowWebhooks(): string[] {
    return [...this.#slowWebhooks];
  }

  /** Takes a slot. @returns a function that releases the slot */
  takeSlot(webhookId: string, standing: Standing): () => void {
    const taken = this.#taken[standing];
    taken.quick += 1;
    taken.total += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      taken.quick -= 1;
      this.#slowAttempts.set(webhookId, (this.#slowAttempts.get(webhookId) ?? 0) + 1);
      this.#remember(webhookId);
      this.#onFreed();
    }, SLOW_MS).unref();
    return () => {
      clearTimeout(timer);
      taken.total -= 1;
      if (isSlow) this.#leaveSlow(webhookId);
      else {
        taken.quick -= 1;
        this.#slowWebhooks.delete(webhookId);
      }
      this.#onFreed();
    };
  }

  #countFree(standing: Standing): number {
    const [maximum, taken] = [SLOTS[standing], this.#taken[standing]];
    return Math.max(0, Math.min(maximum.quick - taken.quick, maximum.total - taken.total));
  }

  #remember(webhookId: string): void {
    this.#slowWebhooks.delete(webhookId);
    this.#slowWebhooks.add(webhookId);
    const [oldest = ''] = this.#slowWebhooks;
    if (this.#slowWebhooks.size > MAX_SLOW_WEBHOOKS) this.#slowWebhooks.delete(oldest);
  }

  #leaveSlow(webhookId: string): void {
    const count = (this.#slowAttempts.get(webhookId) ?? 0) - 1;
    if (count > 0) this.#slowAttempts.set(webhookId, count);
    else this.#slowAttempts.delete(webhookId);
  }
}
