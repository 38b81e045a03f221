/**
 * The documented schemas must describe what is sent, so each example must be valid against the Zod schema and its JSON
 * form.
 */
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDateTime } from '../../../src/base/time.ts';
import { type EventType, gatewayEvents } from '../../../src/control-plane/events/gateway-events.ts';
import { createGatewayDataSchemas } from '../../../src/control-plane/events/event-documents.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
ajv.addFormat('date-time', isDateTime);
const schemas = createGatewayDataSchemas();

test.each(Object.entries<EventType>(gatewayEvents))(
  'the example of the event %s is valid against its schema',
  (name, { data }) => {
    const schema = schemas.get(name);
    const [example] = (schema?.['examples'] ?? []) as Record<string, unknown>[];
    expect(data.parse(example)).toEqual(example);
    const validate = ajv.compile(schema ?? false);
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, unknown: 1 })).toBe(false);
    expect(JSON.stringify(schema)).not.toMatch(/\$schema|9007199254740991|\\\\d/);
  },
);
