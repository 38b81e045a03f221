/** The location of Redis, parsed from `TOLLGATE_STORE`. It contains the password: do not log it. */
export interface RedisLocation {
  readonly kind: 'single' | 'cluster';
  /** At least one node. In a cluster, the other nodes are discovered through these. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: boolean;
  /** The number of the database; always 0 for a cluster. */
  readonly db: number;
}

const DEFAULT_PORT = 6379;

/**
 * Parses `redis://[user:password@]host[:port][/db]`, the same with `rediss:` for TLS, or
 * `redis-cluster://[user:password@]host:port,host:port…`, with `?tls=true` for TLS. Reserved characters in the user or
 * password must be percent-encoded.
 *
 * @returns null if the text is none of these
 */
export function parseRedisUrl(text: string): RedisLocation | null {
  const scheme = /^(rediss?|redis-cluster):\/\//.exec(text)?.[1];
  if (scheme === undefined) return null;
  const rest = text.slice(scheme.length + '://'.length);
  const [, authority = '', path = '', query = ''] = /^([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(rest) ?? [];
  const at = authority.lastIndexOf('@');
  const nodes = authority
    .slice(at + 1)
    .split(',')
    .map(readNode);
  const credentials = readCredentials(at === -1 ? '' : authority.slice(0, at));
  if (nodes.includes(null) || credentials === null) return null;

  const cluster = scheme === 'redis-cluster';
  if (!cluster && (nodes.length > 1 || query !== '' || !/^\d{0,5}$/.test(path))) return null;
  if (cluster && (path !== '' || !/^(tls=(true|false))?$/.test(query))) return null;
  return {
    kind: cluster ? 'cluster' : 'single',
    nodes: nodes.filter((node) => node !== null),
    ...credentials,
    tls: scheme === 'rediss' || query === 'tls=true',
    db: Number(path),
  };
}

/** Formats the location for operators, without user and password. */
export function describeLocation({ nodes }: RedisLocation): string {
  return nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', ');
}

function readNode(text: string): { host: string; port: number } | null {
  const [, bracketed, plain, port = String(DEFAULT_PORT)] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) };
}

function readCredentials(text: string): { username: string | undefined; password: string | undefined } | null {
  const colon = text.indexOf(':');
  const [user, password] = colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  try {
    return { username: decodeURIComponent(user) || undefined, password: decodeURIComponent(password) || undefined };
  } catch {
    return null;
  }
}
