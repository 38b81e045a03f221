import { isObject, type JsonObject } from '../base/json.ts';

/** Headers of every delivery (Standard Webhooks 1.0.0), as parameters of an OpenAPI document. */
export const DELIVERY_PARAMETERS = {
  GatewayWebhookId: header('webhook-id', "The event's id: the same however often it is sent.", 'string'),
  GatewayWebhookTimestamp: header('webhook-timestamp', 'When it was sent: Unix time in seconds.', 'integer'),
  GatewayWebhookSignature: header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64; several, with spaces between them, while the secret is rotated.',
    'string',
  ),
};

const PARAMETERS = Object.keys(DELIVERY_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** A webhook as the gateway delivers it: with its headers, and without what callers of the API have to send. */
export function asDelivered(item: JsonObject): JsonObject {
  const { post } = item;
  if (!isObject(post)) return item;
  const parameters = Array.isArray(post['parameters']) ? (post['parameters'] as unknown[]) : [];
  return { ...item, post: { ...post, security: [], parameters: [...parameters, ...PARAMETERS] } };
}

function header(name: string, description: string, type: 'string' | 'integer') {
  return { name, in: 'header', required: true, description, schema: { type } };
}
