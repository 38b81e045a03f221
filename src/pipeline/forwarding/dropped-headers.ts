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

const LETTERS = 2;

/** Whether a header goes no further, by its name in lower case. */
export type IsDroppedName = (name: string) => boolean;

/** @param configured names in any case that are dropped too; one of two letters or more and a `*` stands for all that begin so */
export function createIsDroppedName(configured: readonly string[]): IsDroppedName {
  const names = new Set(ALWAYS);
  const unique = new Set(UNIQUE);
  const patterns = configured.map((name) => name.toLowerCase());
  for (const name of patterns) if (!name.endsWith('*')) names.add(name);
  const beginnings = patterns.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  // Most headers begin with two letters that none of these begins with.
  const byLetters = Map.groupBy(beginnings, (beginning) => beginning.slice(0, LETTERS));

  function isListed(name: string): boolean {
    if (names.has(name)) return true;
    const candidates = byLetters.get(name.slice(0, LETTERS));
    if (candidates === undefined) return false;
    for (const beginning of candidates) if (name.startsWith(beginning)) return true;
    return false;
  }

  return function isDroppedName(name) {
    if (isListed(name)) return true;
    if (!name.includes('_')) return false;
    const dashed = name.replaceAll('_', '-');
    return unique.has(dashed) || isListed(dashed);
  };
}
