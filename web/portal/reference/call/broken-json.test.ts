import { expect, test } from '@jest/globals';
import { brokenJson } from './broken-json.ts';

test.each([
  ['application/json', '{"name": "Rex"}', null],
  ['application/json', '', null],
  ['text/plain', '{', null],
  [null, '{', null],
  ['application/json', '{"name": }', expect.stringContaining('not valid JSON')],
])('%s %s', (mediaType, body, problem) => {
  expect(brokenJson({ mediaType, body })).toEqual(problem);
});
