import { expect, test } from '@jest/globals';
import { TIMEOUT_MS } from '../../../src/control-plane/portal/try/make-call.ts';
import { ApiError, UNREACHABLE } from '../../shared/transport/error.ts';
import { TRY_TIMEOUT_MS, describeFailure } from './tried-call.ts';

test('the page waits longer than the gateway, so that the gateway reports the result', () => {
  expect(TRY_TIMEOUT_MS).toBeGreaterThan(TIMEOUT_MS + 5000);
});

test.each([
  ['The call was not sent. Wait.', new ApiError({ status: 429, code: 'too_many_calls', message: 'Wait.' })],
  ['The call was not sent. Stopping.', new ApiError({ status: 503, code: 'shutting_down', message: 'Stopping.' })],
  ['The call was not sent. Too many.', new ApiError({ status: 503, code: 'overloaded', message: 'Too many.' })],
  [
    'The call was not sent. No sign-in.',
    new ApiError({ status: 503, code: 'store_unavailable', message: 'No sign-in.' }),
  ],
  ['The call may have been sent, and charged. Cut off.', new Error('Cut off.')],
  [
    'The call may have been sent, and charged. A proxy.',
    new ApiError({ status: 408, code: 'no_answer_of_ours', message: 'A proxy.' }),
  ],
  [
    'The call may have been sent, and charged. Too late.',
    new ApiError({ status: 504, code: 'upstream_timeout', message: 'Too late.' }),
  ],
  ['The call may have been sent, and charged. The gateway did not respond.', new ApiError(UNREACHABLE)],
])('a call that failed is described: %s', (words, error) => {
  expect(describeFailure(error)).toBe(words);
});
