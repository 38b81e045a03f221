/** Headers that frame a message or say what becomes of its connection, in lower case. */
export const CONNECTION_HEADERS = ['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'] as const;

/** All headers of one connection only, which a proxy does not pass on (RFC 9110, 7.6.1), in lower case. */
export const HOP_BY_HOP = [
  ...CONNECTION_HEADERS,
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
] as const;

/**
 * The further headers that a `Connection` header makes hop-by-hop, in lower case; null if there are none. Nearly all say
 * `keep-alive` or `close`, which name no header.
 */
export function namedByConnection(connection: string | readonly string[] | undefined): ReadonlySet<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  const names = String(connection).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}
