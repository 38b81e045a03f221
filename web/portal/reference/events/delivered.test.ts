import { expect, test } from '@jest/globals';
import { ApiDocument } from '../model/document.ts';
import { readSchema } from '../model/schema.ts';
import { deliveredAt, deliveredBody } from './delivered.ts';

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

test('an example is delivered a second after its event', () => {
  const { example } = deliveredBody(api, { name: 'quota.threshold', schema: {} });
  const sampleTime = Date.parse((JSON.parse(example) as { timestamp: string }).timestamp) / 1000;
  expect(deliveredAt(example)).toBe(Math.floor(sampleTime) + 1);
  expect(deliveredAt('{ "timestamp": "2026-06-15T12:00:00.500Z" }')).toBe(Date.UTC(2026, 5, 15, 12) / 1000 + 1);
});

test.each(['{}', 'null', '{ "timestamp": "later" }', 'no JSON'])(
  'the example of an event without a time in its data, such as %s, gets one',
  (text) => {
    expect(deliveredAt(text)).toBeGreaterThan(Date.UTC(2026, 0) / 1000);
  },
);

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
