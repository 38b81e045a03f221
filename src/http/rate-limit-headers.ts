/** A limit and what remains of it. */
interface LimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** In ms since the Unix epoch. */
  readonly resetAt: number;
}

/** Appends the three `X-RateLimit` headers to a flat list of names and values. `Reset` is in Unix seconds, rounded up. */
export function pushXRateLimitHeaders(headers: string[], { limit, remaining, resetAt }: LimitStatus): void {
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetAt / 1000)),
  );
}

interface Window extends LimitStatus {
  /** In ms since the Unix epoch. */
  readonly startsAt: number;
}

interface Windows {
  readonly minute: LimitStatus;
  readonly day: LimitStatus;
  readonly month?: Window | undefined;
  /** In ms since the Unix epoch. */
  readonly now: number;
}

/**
 * Appends `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), with an item for every window, to a
 * flat list of names and values. Times are in seconds, rounded up.
 */
export function pushIetfHeaders(headers: string[], { minute, day, month, now }: Windows): void {
  let policy = `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`;
  let remainingItems = `${formatItem('minute', minute, now)}, ${formatItem('day', day, now)}`;
  if (month !== undefined) {
    policy += `, "month";q=${month.limit};w=${(month.resetAt - month.startsAt) / 1000}`;
    remainingItems += `, ${formatItem('month', month, now)}`;
  }
  headers.push('RateLimit-Policy', policy, 'RateLimit', remainingItems);
}

function formatItem(name: string, { remaining, resetAt }: LimitStatus, now: number): string {
  return `"${name}";r=${remaining};t=${Math.ceil((resetAt - now) / 1000)}`;
}
