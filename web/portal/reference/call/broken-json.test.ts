import { expect, test } from '@jest/globals';
import { brokenJson } from './broken-json.ts';

test.each([
  ['application/json', '{"name": "Rex"}', null],
  ['application/json', '', null],
  ['text/plain', '{', null],
  [null, '{', null],
  ['application/json', '{"name": }', expect.stringContaining('not valid JSON')],
])('a body that is not JSON is found if it should be: %s %s', (mediaType, body, problem) => {
  expect(brokenJson({ mediaType, body })).toEqual(problem);
});
