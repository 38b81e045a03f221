import type { Standing } from './work-places.ts';

/** How long a delivery is a gateway's alone, unless a test says otherwise: see `ClaimSettings`. */
export const LEASE_MS = 30_000;

export interface ClaimSettings {
  /** How many deliveries one webhook may have at work, at all gateways together. */
  readonly perWebhook: number;
  /** Of one whose attempts have been failing: it is not worth more. */
  readonly perFailingWebhook: number;
  /**
   * How long a delivery is a gateway's alone. Longer than an attempt may take, so that nobody takes over what still runs;
   * after that, the gateway is taken for dead.
   */
  readonly leaseMs: number;
}

export interface Wanted {
  /** Deliveries, of webhooks that work and of those in trouble: they fail, or are among `tardy`. */
  readonly limits: Readonly<Record<Standing, number>>;
  readonly tardy: readonly string[];
  /** Webhooks that get none. */
  readonly except: readonly string[];
}
