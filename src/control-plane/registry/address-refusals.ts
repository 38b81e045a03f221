import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import { HOUR_MS } from '../../base/time.ts';
import type { OnAddressRefused } from '../../data-plane/boundary-types.ts';
import { createGatewayEvent } from '../events/gateway-events.ts';
import type { Registry } from './registry.ts';

/**
 * Maximum number of keys whose last report is remembered. Forgetting a report is harmless: the outbox detects repeats.
 */
const MAX_KEYS = 10_000;
/** Maximum number of pending writes. Beyond it, a key is reported with a later refusal. */
const MAX_PENDING_WRITES = 100;

/**
 * Reports that keys were used from addresses that they do not allow, in the audit log and as an event. Each key is
 * reported once per hour, however many gateways notice the use. No request waits for a report.
 */
export class AddressRefusals {
  readonly #registry: Registry;
  readonly #logger: Logger;
  /** The hour of the latest report, by key id. */
  readonly #reportedHours = new LRUCache<string, number>({ max: MAX_KEYS });
  readonly #pendingWrites = new Set<Promise<void>>();

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#logger = logger;
  }

  readonly observe: OnAddressRefused = ({ keyId, owner }, address, at) => {
    const hour = Math.floor(at / HOUR_MS);
    if (this.#reportedHours.get(keyId) === hour || this.#pendingWrites.size >= MAX_PENDING_WRITES) return;
    this.#reportedHours.set(keyId, hour);
    const uniqueKey = `key.address_refused ${keyId} ${hour}`;
    const event = createGatewayEvent(
      'key.address_refused',
      { keyId, address },
      { subject: keyId, owner, at, uniqueKey },
    );
    const entryFields = { actor: 'system', action: 'key.address_refused', subject: keyId, reason: null, at } as const;
    const pendingWrite = this.#registry
      .appendWithEvent({ ...entryFields, before: null, after: { address } }, event)
      .catch((error: unknown) => {
        // The next refusal tries again.
        this.#reportedHours.delete(keyId);
        if (!(error instanceof StoreUnavailable))
          this.#logger.error({ err: error, keyId }, 'a refused address could not be recorded');
      })
      .finally(() => this.#pendingWrites.delete(pendingWrite));
    this.#pendingWrites.add(pendingWrite);
  };

  /** Waits for pending writes. */
  async close(): Promise<void> {
    await Promise.all(this.#pendingWrites);
  }
}
