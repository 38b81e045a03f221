import { HOP_BY_HOP } from '../../http/headers.ts';

/**
 * Never passed on: headers in which the gateway identifies the caller, and those by which a caller could pretend to be
 * another or turn the request into another than the one that was checked; and hop-by-hop headers, except
 * `Transfer-Encoding`: it tells services in this process that there is a body.
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
  ...HOP_BY_HOP.filter((name) => name !== 'transfer-encoding'),
  'trailer',
  'http2-settings',
];
/** Dropped when spelled with an underscore for the dash: servers that treat both alike would see a second one. */
const UNIQUE = ['host', 'content-length', 'transfer-encoding', 'authorization'];

const PREFIX_LETTERS = 2;

/** Whether to drop a header, by its name in lower case. */
export type IsDroppedName = (name: string) => boolean;

/**
 * @param configured further names to drop, in any case; a prefix of two letters or more with a `*` stands for all names
 * that begin with it
 */
export function createIsDroppedName(configured: readonly string[]): IsDroppedName {
  const names = new Set(ALWAYS);
  const unique = new Set(UNIQUE);
  const patterns = configured.map((name) => name.toLowerCase());
  for (const name of patterns) if (!name.endsWith('*')) names.add(name);
  const prefixes = patterns.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  // The first two letters rule out most headers.
  const byLetters = Map.groupBy(prefixes, (prefix) => prefix.slice(0, PREFIX_LETTERS));

  function isListed(name: string): boolean {
    if (names.has(name)) return true;
    const candidates = byLetters.get(name.slice(0, PREFIX_LETTERS));
    if (candidates === undefined) return false;
    for (const prefix of candidates) if (name.startsWith(prefix)) return true;
    return false;
  }

  return function isDroppedName(name) {
    if (isListed(name)) return true;
    if (!name.includes('_')) return false;
    const dashed = name.replaceAll('_', '-');
    return unique.has(dashed) || isListed(dashed);
  };
}
