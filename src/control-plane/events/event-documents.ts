import { z } from 'zod';
import type { Audience } from '../../openapi/event-type.ts';
import { asDelivered } from '../../openapi/delivered-webhooks.ts';
import type { JsonObject } from '../../base/json.ts';
import { type EventType, gatewayEvents } from './catalogue.ts';

const READERS: Readonly<Record<Audience, string>> = {
  owner: 'Told to the owner of the keys.',
  plan: 'Told to everybody who has the plan.',
  everyone: 'Told to everybody.',
  operators: 'Told to operators only.',
};

/**
 * The gateway's own events, as the `webhooks` of an OpenAPI document (3.1).
 *
 * @param audiences which of them
 */
export function gatewayWebhooks(audiences: readonly Audience[], tag: string): JsonObject {
  const shown = Object.entries<EventType>(gatewayEvents).filter(([, { audience }]) => audiences.includes(audience));
  return Object.fromEntries(shown.map(([name, type]) => [name, asDelivered(webhook(name, type, tag))]));
}

/** Of the webhook of a type. */
export function operationIdOf(type: string): string {
  return `on_${type.replaceAll('.', '_')}`;
}

function webhook(name: string, { summary, audience, data }: EventType, tag: string): JsonObject {
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: name },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: schemaOf(data),
    },
  };
  return {
    post: {
      operationId: operationIdOf(name),
      tags: [tag],
      summary,
      description: READERS[audience],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'It was taken. After any other answer it is sent again.' } },
    },
  };
}

/** Without what only the gateway has to hold to: receivers must bear fields that are added later. */
function schemaOf(data: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(data, {
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}
