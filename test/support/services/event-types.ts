import { Schemas } from '../../../src/base/json-schemas.ts';
import type { ServiceEventType } from '../../../src/openapi/event-type.ts';

/** Event types of a service, as read from its document. @param schemas schema of the data, by event type */
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
