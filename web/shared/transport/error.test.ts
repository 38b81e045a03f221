import { expect, test } from '@jest/globals';
import { ApiError, parseError } from './error.ts';

test('an error explains what is wrong with a request instead of referring to details', () => {
  const body = {
    status: 400,
    code: 'validation_failed',
    message: 'The request does not match the API description. See details.',
  };
  const details = [
    { path: '/owner', message: 'must be printable ASCII' },
    { path: '', message: 'must be an object' },
  ];
  expect(parseError(400, { ...body, details }).message).toBe(
    'owner must be printable ASCII. The body must be an object.',
  );
  expect(parseError(400, body).message).toBe('The request does not match the API description. See details.');
});

test('a proxy without our error format is reported by its status', () => {
  const error = parseError(502, '<html>');
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 502, code: 'no_answer_of_ours' });
  expect(error.message).toContain('status 502');
});
