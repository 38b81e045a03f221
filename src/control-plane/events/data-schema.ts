import { z } from 'zod';
import { type EventType, gatewayEvents } from './catalogue.ts';
import { gatewayExamples } from './examples.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** What the `data` of each type of the gateway's are, as JSON Schema (2020-12) with an example, by the name of the type. */
export function gatewayDataSchemas(): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries<EventType>(gatewayEvents).map(([name, { data }]) => [
      name,
      { ...schemaOf(data), examples: [gatewayExamples[name as keyof typeof gatewayExamples]] },
    ]),
  );
}

function schemaOf(data: z.ZodType): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(data, { override: ({ jsonSchema }) => simplify(jsonSchema) });
  return schema;
}

/** Takes away what follows from the type or format: it would only be in the reader's way. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
