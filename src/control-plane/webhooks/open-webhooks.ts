import type { Storage } from '../../open/open-storage.ts';
import type { Upstreams } from '../../data-plane/upstreams/open-upstreams.ts';
import type { StartContext } from '../../start-context.ts';
import { AddressRules, createResolve, UrlRules } from './sending/address-rules.ts';
import { DeliveryService } from './delivery-service.ts';
import { EventTypes } from './event-types.ts';
import { LateSender } from './sending/late-sender.ts';
import { Webhooks } from './webhooks.ts';

const CONNECT_MS = 10_000;
/** What is being sent has had the whole drain to end. */
const CLOSE_MS = 1000;

export interface OpenWebhooks {
  readonly webhooks: Webhooks;
  readonly delivery: DeliveryService;
}

/** Opens webhooks, and begins to deliver. */
export function openWebhooks(context: StartContext, { database }: Storage, upstreams: Upstreams): OpenWebhooks {
  const { config, logger, clock, metrics, shutdown } = context;
  const { allowPrivate, ports = null } = config.events;
  const rules = new AddressRules(allowPrivate);
  const resolve = createResolve(allowPrivate !== false);
  const urls = new UrlRules({ rules, ports, resolve });
  const open = async () => {
    const { guardedConnector } = await import('./sending/guarded-connector.ts');
    const { HttpSender } = await import('./sending/http-sender.ts');
    const connector = guardedConnector({ rules, resolve, timeoutMs: CONNECT_MS });
    return new HttpSender({ connector, urls, clock });
  };
  const sender = new LateSender({ open, clock, logger });
  shutdown.add('webhooks', () => sender.close());
  const types = new EventTypes(() => upstreams.eventTypes);
  const isStopping = () => shutdown.isDraining;
  const onAttempt = metrics.webhooks.attempted;
  const delivery = new DeliveryService(database, { types, sender, logger, clock, isStopping, onAttempt });
  metrics.webhooks.watch(() => delivery.backlog);
  // Closed before the sender, since it was opened after it.
  shutdown.add('webhooks', () => delivery.close(CLOSE_MS));
  return { webhooks: new Webhooks(database, { types, addresses: urls, sender }), delivery };
}
