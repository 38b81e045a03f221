import { expect, test } from '@jest/globals';
import { refusalExamples } from './refusal-examples.ts';

const refused = {
  status: '429',
  description: '`rate_limit_exceeded`: The limit is reached.\n\n`quota_exceeded`: The quota is used up.',
  headers: [],
  media: [],
};

test('every code with which the gateway refuses a call has an example', () => {
  const schema = { $ref: '#/components/schemas/GatewayError' };
  expect(refusalExamples(refused, { schema }).map(({ name, value }) => [name, value])).toEqual([
    ['rate_limit_exceeded', { code: 'rate_limit_exceeded', message: 'The limit is reached.', status: 429 }],
    ['quota_exceeded', { code: 'quota_exceeded', message: 'The quota is used up.', status: 429 }],
  ]);
});

test("nothing is made up for a service's own error", () => {
  expect(refusalExamples(refused, { schema: { $ref: '#/components/schemas/Error' } })).toEqual([]);
  expect(refusalExamples({ ...refused, description: null }, { schema: {} })).toEqual([]);
});
