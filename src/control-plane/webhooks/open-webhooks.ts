import type { Logger } from 'pino';
import { AddressRules, createResolver, UrlRules } from './address-rules.ts';
import type { Clock } from '../../base/time.ts';
import type { EventTypeInfo } from '../../openapi/event-type.ts';
import type { Database } from '../../storage/database.ts';
import { DeliveryService } from './delivery-service.ts';
import { EventTypes } from './event-types.ts';
import { LazySender } from './lazy-sender.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';
import { Webhooks } from './webhooks.ts';

const CONNECT_MS = 10_000;
/** Closing waits only briefly, because running deliveries have already had the whole drain to finish. */
const CLOSE_MS = 1000;

interface WebhookOptions {
  readonly database: Database;
  /** Whether webhooks may be sent to private addresses, and the ports they may be sent to (undefined: any). */
  readonly allowPrivate: ConstructorParameters<typeof AddressRules>[0];
  readonly ports?: readonly number[] | undefined;
  /** The event types that services may publish now. */
  readonly serviceEventTypes: () => readonly EventTypeInfo[];
  readonly isStopping: () => boolean;
  readonly metrics: WebhookMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

interface OpenWebhooks {
  readonly webhooks: Webhooks;
  readonly delivery: DeliveryService;
  readonly close: () => Promise<void>;
}

/** Sets up webhooks and starts their delivery. */
export function openWebhooks(options: WebhookOptions): OpenWebhooks {
  const { database, allowPrivate, ports = null, isStopping, metrics, logger, clock } = options;
  const rules = new AddressRules(allowPrivate);
  const resolve = createResolver(allowPrivate !== false);
  const urls = new UrlRules({ rules, ports, resolve });
  const openSender = async () => {
    const { createGuardedConnector: guardedConnector } = await import('./guarded-connector.ts');
    const { HttpSender } = await import('./http-sender.ts');
    const connector = guardedConnector({ rules, resolve, timeoutMs: CONNECT_MS });
    return new HttpSender({ connector, urls, clock });
  };
  const sender = new LazySender({ open: openSender, clock, logger });
  const types = new EventTypes(options.serviceEventTypes);
  const onAttempt = metrics.countAttempt;
  const delivery = new DeliveryService(database, { types, sender, logger, clock, isStopping, onAttempt });
  metrics.watchBacklog(() => delivery.backlog);
  const close = async () => {
    try {
      await delivery.close(CLOSE_MS);
    } finally {
      await sender.close();
    }
  };
  return { webhooks: new Webhooks(database, { types, addresses: urls, sender }), delivery, close };
}
