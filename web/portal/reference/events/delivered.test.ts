import { expect, test } from '@jest/globals';
import { ApiDocument } from '../model/document.ts';
import { readSchema } from '../model/schema.ts';
import { deliveredBody } from './delivered.ts';

const api = new ApiDocument({
  openapi: '3.1.0',
  webhooks: {
    'pet.created': {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Told' } } } } },
    },
  },
  components: {
    schemas: {
      Told: {
        type: 'object',
        required: ['type', 'data'],
        properties: { type: { const: 'pet.created' }, data: { $ref: '#/components/schemas/Pet' } },
      },
      Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string', example: 'Rex' } } },
    },
  },
});

test('an event type of the gateway has a schema and an example', () => {
  const schema = { type: 'object', properties: { used: { type: 'integer' } }, examples: [{ used: 800 }] };
  const delivered = deliveredBody(api, { name: 'quota.threshold', schema });
  expect(delivered.schema).toBe(schema);
  expect(JSON.parse(delivered.example)).toEqual({
    type: 'quota.threshold',
    timestamp: expect.stringMatching(/^\d{4}-/),
    data: { used: 800 },
  });
});

test('an event type of a service is read from the API document', () => {
  const { document, schema, example } = deliveredBody(api, { name: 'pet.created', schema: null });
  expect(readSchema(document, schema).properties.map(({ name }) => name)).toEqual(['name']);
  expect(JSON.parse(example)).toEqual({ type: 'pet.created', data: { name: 'Rex' } });
});

test.each(['pet.unknown', 'constructor'])('the undocumented type %s is still shown', (name) => {
  const { schema, example } = deliveredBody(api, { name, schema: null });
  expect(schema).toEqual({});
  expect(JSON.parse(example)).toMatchObject({ type: name });
});
