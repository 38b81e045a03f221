import { Schemas } from '../../../src/base/json-schemas.ts';
import type { ServiceEventType } from '../../../src/openapi/event-type.ts';

/** Types of events of a service, as its document would have them: by name, the schema of the data. */
export function eventTypesOf(schemas: Readonly<Record<string, object>>): ServiceEventType[] {
  return Object.entries(schemas).map(([name, data]) => {
    const validate = new Schemas({ body: { properties: { data } } }, 'others').at(['body']);
    return {
      name,
      summary: '',
      audience: 'everyone',
      schemaAt: [],
      validate: (event) => validate(event, ''),
      place: '',
    };
  });
}
