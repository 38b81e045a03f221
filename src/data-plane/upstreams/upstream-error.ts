/**
 * The reason why the upstream's response could not be forwarded. `upstream_busy`: no connection was free, or the response
 * was an event stream and there were already too many of them.
 */
export type UpstreamFailure =
  'upstream_unreachable' | 'upstream_timeout' | 'upstream_bad_response' | 'upgrade_not_supported' | 'upstream_busy';

/** A failure of an upstream. Its code is also the code in the consumer's response. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: UpstreamFailure;

  constructor(code: UpstreamFailure, upstream: string, cause?: unknown) {
    const why = Error.isError(cause) ? `: ${cause.message}` : '';
    super(`upstream ${upstream}: ${code}${why}`, { cause });
    this.code = code;
  }
}
