import { ApiError } from '../../shared/transport/error.ts';

/** Longer than the gateway waits for the call (`src/portal/try/call.ts`), so that it says how it went. */
export const TRY_TIMEOUT_MS = 40_000;

const NO_ANSWER: ReadonlySet<string> = new Set([
  'unreachable',
  'no_answer_of_ours',
  'upstream_timeout',
  'upstream_bad_response',
]);

/** What became of a call whose answer did not arrive. */
export function wordsOfFailure(error: Error): string {
  const isUnknown = error instanceof ApiError && NO_ANSWER.has(error.code);
  return `${isUnknown ? 'The call may have been sent, and charged.' : 'The call was not sent.'} ${error.message}`;
}
