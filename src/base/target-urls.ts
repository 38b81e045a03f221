const SOCKET_SCHEME = 'unix:';

/** The path of the Unix socket that a target of an upstream is; null if it is a URL. */
export function socketPath(target: string): string | null {
  return target.startsWith(SOCKET_SCHEME) ? target.slice(SOCKET_SCHEME.length) : null;
}

/** The URL of requests to a target. HTTP knows none for a Unix socket: its host is `localhost`, as usual. */
export function httpUrl(target: string): URL {
  return new URL(socketPath(target) === null ? target : 'http://localhost');
}
