import { isObject, type JsonObject } from '../base/json.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { partAt } from './pointer.ts';
import { type UpstreamDocument, webhooksField } from './upstream-document.ts';
import { publishedDocument } from './published-document.ts';
import { addComponents, ComponentNames, type Components, usedComponents } from './components.ts';

/** Headers of every delivery (Standard Webhooks 1.0.0), as parameters of an OpenAPI document. */
export const DELIVERY_PARAMETERS = {
  GatewayWebhookId: header('webhook-id', "The event's id. It is the same for every attempt.", 'string'),
  GatewayWebhookTimestamp: header('webhook-timestamp', 'When this attempt was sent: Unix time in seconds.', 'integer'),
  GatewayWebhookSignature: header(
    'webhook-signature',
    '`v1,` followed by the base64 HMAC-SHA256 of id, timestamp and body. While a secret is being rotated, there are several signatures, separated by spaces.',
    'string',
  ),
};

const PARAMETERS = Object.keys(DELIVERY_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/**
 * A webhook as the gateway delivers it: with the headers of a delivery, and without the security requirements of API
 * calls.
 */
export function asDelivered(item: JsonObject): JsonObject {
  const { post } = item;
  if (!isObject(post)) return item;
  const parameters = Array.isArray(post['parameters']) ? (post['parameters'] as unknown[]) : [];
  return { ...item, post: { ...post, security: [], parameters: [...parameters, ...PARAMETERS] } };
}

function header(name: string, description: string, type: 'string' | 'integer') {
  return { name, in: 'header', required: true, description, schema: { type } };
}

/**
 * The webhooks of a document's event types, as the gateway delivers them. A reference to a component is replaced by the
 * component itself.
 */
export function deliveredWebhooks(value: JsonObject, eventTypes: UpstreamDocument['eventTypes']): JsonObject {
  const field = webhooksField(value);
  return Object.fromEntries(
    eventTypes.flatMap(({ name }) => {
      const item = partAt(value, [field, name]);
      return item === null ? [] : [[name, asDelivered(item.value)]];
    }),
  );
}

/**
 * Webhooks of a document that are not event types of this gateway. The service delivers them itself, so they are
 * published as they are.
 */
export function foreignWebhooks(value: JsonObject, eventTypes: UpstreamDocument['eventTypes']): JsonObject {
  const webhooks = value[webhooksField(value)];
  if (eventTypes.length > 0 || !isObject(webhooks)) return {};
  return Object.fromEntries(
    Object.entries(webhooks).flatMap(([name, item]) => (isObject(item) ? [[name, withOwnSecurity(item)]] : [])),
  );
}

/** Overrides the document's own `security`, which is for calls to the gateway and not for webhooks. */
function withOwnSecurity(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, part]) => [
      key,
      isObject(part) && OPERATION_KEYS.has(key) ? { security: [], ...part } : part,
    ]),
  );
}

/**
 * All event types of services, as operators can receive them, with the components that they use. Component names get
 * the name of their upstream as a prefix.
 */
export async function allWebhooks(
  sources: readonly {
    readonly name: string;
    readonly idPrefix?: string | undefined;
    readonly document: UpstreamDocument;
  }[],
): Promise<{
  readonly webhooks: JsonObject;
  readonly components: Readonly<Record<string, JsonObject>>;
}> {
  const components: Components = new Map();
  let webhooks: JsonObject = {};
  for (const { name, idPrefix, document } of sources) {
    if (document.eventTypes.length === 0) continue;
    const value = await publishedDocument(document.value, {
      name,
      idPrefix,
      staysAt: ([top]) => top === 'components',
      names: new ComponentNames([{ name, value: document.value }], {}),
      isRenamed: () => true,
    });
    webhooks = { ...webhooks, ...deliveredWebhooks(value, document.eventTypes) };
    addComponents(components, value);
  }
  return { webhooks, components: await usedComponents(webhooks, components) };
}
