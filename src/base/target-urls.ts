const SOCKET_SCHEME = 'unix:';

/** The path of the socket if a target of an upstream is a Unix socket; null if it is a URL. */
export function socketPath(target: string): string | null {
  return target.startsWith(SOCKET_SCHEME) ? target.slice(SOCKET_SCHEME.length) : null;
}

/** The URL for requests to a target. For a Unix socket, the host is `localhost` by convention. */
export function httpUrl(target: string): URL {
  return new URL(socketPath(target) === null ? target : 'http://localhost');
}
