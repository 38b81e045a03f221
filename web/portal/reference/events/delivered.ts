import { ApiDocument, asObject, type JsonObject } from '../model/document.ts';
import { preferredMedia, readOperation } from '../model/operation.ts';
import { sampleValue } from '../model/sample-value.ts';
import { readSchema } from '../model/schema.ts';

/** A type of event, as the portal's API lists it. */
interface EventType {
  readonly name: string;
  /** The schema of `data`; null for an event of a service, whose document has the schema. */
  readonly schema: JsonObject | null;
}

/** The request that delivers an event of this type. */
export interface Delivered {
  /** The document that contains the schemas. */
  readonly document: ApiDocument;
  /** Schema of `data`. */
  readonly schema: unknown;
  /** The body as JSON. */
  readonly example: string;
}

/** The time of the events in the gateway's examples (`src/control-plane/events/event-documents.ts`). */
const SAMPLE_TIME = '2026-11-22T09:00:20.000Z';

/** The time at which an example is delivered, in seconds since the Unix epoch: a second after its event. */
export function deliveredAt(example: string): number {
  const at = Date.parse(/"timestamp": ?"([^"]+)"/.exec(example)?.[1] ?? '');
  return Math.floor((Number.isNaN(at) ? Date.parse(SAMPLE_TIME) : at) / 1000) + 1;
}

/** @param api the document that has the event, if a service sends it */
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

/** The name of a webhook in a document is the event type, and its body is what is delivered. */
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
