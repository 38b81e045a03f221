import { UpstreamError, type UpstreamFailure } from '../upstream-error.ts';

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** Errors of the pool itself: it refuses to send such a request, or is being closed. */
const NOT_THE_TARGETS = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);

/** Whether a failure to send is the target's: no consumer may eject a target with a request that the pool refuses. */
export function isUnreachable(error: Error): boolean {
  return !NOT_THE_TARGETS.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * What a connection error means to the consumer.
 *
 * @param answered whether any part of an answer arrived
 */
export function failureOf(error: Error, answered: boolean, upstream: string): UpstreamError {
  return new UpstreamError(codeOf(error, answered), upstream, error);
}

function codeOf(error: Error, answered: boolean): UpstreamFailure {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (TIMEOUTS.has(code)) return 'upstream_timeout';
  // The parser's error codes begin with HPE_.
  if (answered || code.startsWith('HPE_')) return 'upstream_bad_response';
  return 'upstream_unreachable';
}
