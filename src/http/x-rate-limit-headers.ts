interface Limited {
  readonly limit: number;
  readonly remaining: number;
  /** In ms since the Unix epoch. */
  readonly resetAt: number;
}

/** The three `X-RateLimit` headers, as flat pairs. `Reset` is in Unix seconds, rounded up. */
export function pushXRateLimitHeaders(headers: string[], { limit, remaining, resetAt }: Limited): void {
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetAt / 1000)),
  );
}
