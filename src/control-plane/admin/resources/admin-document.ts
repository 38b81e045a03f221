import { join } from 'node:path';
import { DELIVERY_PARAMETERS } from '../../../openapi/delivered-webhooks.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { createGatewayWebhooks, createOperationId } from '../../events/event-documents.ts';

export const DOCUMENT_FILE = join(import.meta.dirname, '../openapi/admin.openapi.yaml');
export const PREFIX = '/v1';

/**
 * The event types of services, and the components that they use. The components are renamed, so that they do not
 * collide with the gateway's own.
 */
export interface ServiceWebhooks {
  readonly webhooks: JsonObject;
  readonly components: Readonly<Record<string, JsonObject>>;
}

const TAG = 'events';

/** Adds all events that operators can receive to the document: those of the gateway and those of services. */
export function withWebhooks(document: JsonObject, services: ServiceWebhooks): JsonObject {
  const ownWebhooks = createGatewayWebhooks(['owner', 'plan', 'everyone', 'operators'], TAG);
  const serviceWebhooks = Object.entries(services.webhooks).map(([name, item]) => [name, withAdminTags(name, item)]);
  const components = new Map(Object.entries(document['components'] as Record<string, JsonObject>));
  for (const addedComponents of [services.components, { parameters: DELIVERY_PARAMETERS }]) {
    for (const [kind, entries] of Object.entries(addedComponents))
      components.set(kind, { ...components.get(kind), ...entries });
  }
  const webhooks = { ...ownWebhooks, ...Object.fromEntries(serviceWebhooks) };
  return { ...document, webhooks, components: Object.fromEntries(components) };
}

/** Replaces the tags and the operation id, because the service's own would not fit this document. */
function withAdminTags(name: string, item: unknown): unknown {
  if (!isObject(item) || !isObject(item['post'])) return item;
  return { ...item, post: { ...item['post'], operationId: createOperationId(name), tags: [TAG] } };
}
