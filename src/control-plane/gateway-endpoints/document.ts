import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../base/json.ts';
import { gatewayWebhooks } from '../events/event-documents.ts';

/** The part of the public document that describes what is the gateway's own: its endpoints, and what it tells consumers. */
export function endpointsDocument(): JsonObject {
  const document = parse(readFileSync(join(import.meta.dirname, 'gateway.openapi.yaml'), 'utf8')) as JsonObject;
  return { ...document, webhooks: gatewayWebhooks(['owner', 'plan', 'everyone'], 'gateway') };
}
