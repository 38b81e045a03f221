import type { EventTypeInfo } from '../../../src/openapi/event-type.ts';
import { RegistryError } from '../../../src/domain/registry-error.ts';
import type { Database } from '../../../src/storage/database.ts';
import type { Outcome, Sender } from '../../../src/control-plane/webhooks/sender.ts';
import { EventTypes } from '../../../src/control-plane/webhooks/event-types.ts';
import { Webhooks } from '../../../src/control-plane/webhooks/webhooks.ts';

interface WebhooksOptions {
  readonly services?: readonly EventTypeInfo[];
  readonly sender?: Sender;
}

export const ARRIVED: Outcome = {
  at: Date.parse('2026-06-15T12:00:00Z'),
  durationMs: 12,
  status: 204,
  error: null,
  answer: '',
  retryAfterMs: null,
};

/** Creates webhooks whose URLs may have any host except `forbidden`. By default, nothing is sent. */
export function createWebhooks(database: Database, { services = [], sender = unsent }: WebhooksOptions = {}): Webhooks {
  return new Webhooks(database, { types: new EventTypes(() => services), addresses: { check }, sender });
}

const unsent: Sender = { send: async () => ARRIVED };

async function check(url: string): Promise<string> {
  if (url.includes('forbidden')) throw new RegistryError('webhook_address_not_allowed', 'it is forbidden');
  return new URL(url).href;
}
