import { ApiError } from '../../shared/transport/error.ts';
import { type Schemas, sendRequest } from './transport/client.ts';

export type TryResponse = Schemas['TryAnswer'];

/**
 * The time limit for a tried call. It is longer than the gateway waits for the service
 * (`src/control-plane/portal/try/make-call.ts`), so that the gateway can report the result.
 */
export const TRY_TIMEOUT_MS = 40_000;

export interface TriedCall {
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bodyEncoding: 'utf8' | 'base64';
}

/**
 * Calls an operation through the gateway, with one of the user's keys.
 *
 * @throws ApiError
 */
export function tryCall(call: TriedCall): Promise<TryResponse> {
  return sendRequest<TryResponse>({ method: 'POST', path: '/try', body: call, timeoutMs: TRY_TIMEOUT_MS });
}

/** The error if the page could not make the call at all, so that it was not charged. */
export class NotSent extends Error {}

/** Says why there is no response to a call. */
export function describeFailure(error: Error): string {
  const wasSent = isRefusal(error) ? 'The call was not sent.' : 'The call may have been sent, and charged.';
  return `${wasSent} ${error.message}`;
}

/** Codes of refusals with a status of at least 500, after which the gateway has not made the call. */
const BEFORE_THE_CALL = new Set(['shutting_down', 'overloaded', 'store_unavailable']);

/** True if the call was not made, so that it was not charged. */
function isRefusal(error: Error): boolean {
  if (error instanceof NotSent) return true;
  if (!(error instanceof ApiError) || error.code === 'no_answer_of_ours') return false;
  return (error.status >= 400 && error.status < 500) || BEFORE_THE_CALL.has(error.code);
}
