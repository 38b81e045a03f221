/**
 * Never passed on. What the gateway says of the caller, and what would let a caller say it, or mean another request
 * than the one that was judged; and what concerns this connection only (RFC 9110, 7.6.1). `Transfer-Encoding` is not
 * among them: services in this process tell by it that there is a body.
 */
const ALWAYS = [
  'x-api-key',
  'x-request-id',
  'x-consumer-id',
  'x-credential-id',
  'x-consumer-plan',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'expect',
  'connection',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
];
/** Dropped where an underscore stands for the dash: servers that read it so would find a second one. */
const UNIQUE = ['host', 'content-length', 'transfer-encoding', 'authorization'];

/** Whether a header goes no further, by its name in lower case. */
export type IsDroppedName = (name: string) => boolean;

/** @param configured names in any case that are dropped too; one that ends in `*` stands for all that begin so */
export function createIsDroppedName(configured: readonly string[]): IsDroppedName {
  const names = new Set(ALWAYS);
  const unique = new Set(UNIQUE);
  /** By their first letter: most headers begin with one that none of them has. */
  const beginnings = new Map<string, string[]>();
  for (const pattern of configured) {
    const name = pattern.toLowerCase();
    if (!name.endsWith('*')) names.add(name);
    else beginnings.set(name.charAt(0), [...(beginnings.get(name.charAt(0)) ?? []), name.slice(0, -1)]);
  }

  function isListed(name: string): boolean {
    if (names.has(name)) return true;
    const candidates = beginnings.get(name.charAt(0));
    return candidates !== undefined && candidates.some((beginning) => name.startsWith(beginning));
  }

  return function isDroppedName(name) {
    if (isListed(name)) return true;
    if (!name.includes('_')) return false;
    const dashed = name.replaceAll('_', '-');
    return unique.has(dashed) || isListed(dashed);
  };
}
