import { ApiDocument, asObject, type JsonObject } from '../model/document.ts';
import { preferredMedia, readOperation } from '../model/operation.ts';
import { sampleValue } from '../model/sample-value.ts';
import { readSchema } from '../model/schema.ts';

/** An event type, as the portal's API lists it. */
interface EventType {
  readonly name: string;
  /** The schema of `data`. Null for an event of a service, because the service's document has the schema. */
  readonly schema: JsonObject | null;
}

/** The body that delivers an event of some type. */
export interface Delivered {
  /** The document to which the schema may refer. */
  readonly document: ApiDocument;
  /** The schema of `data`. */
  readonly schema: unknown;
  /** An example of the body, as JSON. */
  readonly example: string;
}

/** The time of events in the gateway's own examples (`src/control-plane/events/event-documents.ts`). */
const SAMPLE_TIME = '2026-11-22T09:00:20.000Z';

/** The time at which an example is delivered, a second after its event. In seconds since the Unix epoch. */
export function deliveredAt(example: string): number {
  const at = Date.parse(/"timestamp": ?"([^"]+)"/.exec(example)?.[1] ?? '');
  return Math.floor((Number.isNaN(at) ? Date.parse(SAMPLE_TIME) : at) / 1000) + 1;
}

/**
 * Describes the body that delivers an event.
 *
 * @param api the document of the service, if a service sends the event
 */
export function deliveredBody(api: ApiDocument, { name, schema }: EventType): Delivered {
  return schema === null ? ofService(api, name) : ofGateway(name, schema);
}

function ofGateway(name: string, schema: JsonObject): Delivered {
  const document = new ApiDocument(schema);
  const body = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: name },
      timestamp: { type: 'string', format: 'date-time', examples: [SAMPLE_TIME] },
      data: schema,
    },
  };
  return { document, schema, example: JSON.stringify(sampleValue(document, body), null, 2) };
}

/**
 * Finds the body of a service's event. In the service's document, it is the body of the webhook that is named like the
 * event type.
 */
function ofService(document: ApiDocument, name: string): Delivered {
  const webhooks = asObject(document.value['webhooks']);
  const item = document.resolve(Object.hasOwn(webhooks, name) ? webhooks[name] : undefined);
  const operation = item['post'] === undefined ? null : readOperation(document, 'post', name, item);
  const media = preferredMedia(operation?.body?.media ?? []);
  if (media === undefined) return ofGateway(name, {});
  const { properties } = readSchema(document, media.schema);
  const data = properties.find((property) => property.name === 'data');
  const [example] = media.examples;
  const value = example === undefined ? sampleValue(document, media.schema) : example.value;
  return { document, schema: data?.schema ?? {}, example: JSON.stringify(value, null, 2) };
}
