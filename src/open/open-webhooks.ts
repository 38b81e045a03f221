import type { Storage } from './open-storage.ts';
import type { StartContext } from '../start-context.ts';
import { AddressRules } from '../webhooks/addresses/address-rules.ts';
import { guardedConnector } from '../webhooks/addresses/guarded-connector.ts';
import { createResolve } from '../webhooks/addresses/resolver.ts';
import { UrlRules } from '../webhooks/addresses/url-rules.ts';
import { HttpSender } from '../webhooks/delivery/http-sender.ts';
import { EventTypes } from '../webhooks/event-types.ts';
import { Webhooks } from '../webhooks/webhooks.ts';

const CONNECT_MS = 10_000;

/** Opens webhooks, and what sends to them. */
export function openWebhooks({ config, clock, shutdown }: StartContext, { database }: Storage): Webhooks {
  const { allowPrivate, ports } = config.events;
  const rules = new AddressRules(allowPrivate);
  const resolve = createResolve(allowPrivate !== false);
  const urls = new UrlRules({ rules, ports: ports ?? null, resolve });
  const connector = guardedConnector({ rules, resolve, timeoutMs: CONNECT_MS });
  const sender = new HttpSender({ connector, urls, clock });
  shutdown.add('webhooks', () => sender.close());
  return new Webhooks(database, { types: new EventTypes(), addresses: urls, sender });
}
