import { UpstreamError, type UpstreamFailure } from '../upstream-error.ts';
import type { Progress } from './relay.ts';

const TIMEOUTS = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  'ERR_UPSTREAM_UPGRADE_TIMEOUT',
]);

/** What an error of the pool's means to the consumer. */
export function failureOf(error: Error, progress: Progress | null, upstream: string): UpstreamError {
  return new UpstreamError(codeOf(error, progress), upstream, error);
}

function codeOf(error: Error, progress: Progress | null): UpstreamFailure {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (TIMEOUTS.has(code)) return 'upstream_timeout';
  // The parser's own words for what it cannot read begin with HPE_.
  if (progress?.answered || code.startsWith('HPE_')) return 'upstream_bad_response';
  return 'upstream_unreachable';
}
