/** Routes and delivers events like a gateway, but with shorter delays, until the process is killed. */
import { pino } from 'pino';
import { createGuardedConnector } from '../../../src/control-plane/webhooks/guarded-connector.ts';
import { AddressRules, createResolver, UrlRules } from '../../../src/control-plane/webhooks/address-rules.ts';
import { openReadyPostgres } from '../servers/open-postgres.ts';
import { DeliveryService } from '../../../src/control-plane/webhooks/delivery-service.ts';
import { RETRY_DELAYS } from '../../../src/control-plane/webhooks/retry-schedule.ts';
import { EventTypes } from '../../../src/control-plane/webhooks/event-types.ts';
import { HttpSender } from '../../../src/control-plane/webhooks/http-sender.ts';

export interface ChildSettings {
  readonly url: string;
  /** The factor by which the delays of the retry schedule are multiplied. */
  readonly factor: number;
  readonly attemptMs: number;
  readonly leaseMs: number;
}

const { url, factor, attemptMs, leaseMs } = JSON.parse(process.argv[2] ?? '') as ChildSettings;
const logger = pino({ level: 'warn' }, process.stderr);
const database = await openReadyPostgres(url, logger);
const rules = new AddressRules(true);
const resolve = createResolver(true);
const urls = new UrlRules({ rules, ports: null, resolve });
const connector = createGuardedConnector({ rules, resolve, timeoutMs: attemptMs });
const service = new DeliveryService(database, {
  types: new EventTypes(),
  sender: new HttpSender({ connector, urls, clock: Date.now, attemptMs }),
  logger,
  clock: Date.now,
  schedule: { delays: RETRY_DELAYS.map((delay) => delay * factor), random: Math.random },
  claims: { perWebhook: 8, perFailingWebhook: 1, leaseMs },
  pollMs: 100,
});
process.stdout.write('delivering\n');
setInterval(() => {
  if (service.failure !== null) throw new Error(service.failure);
}, 1000);
