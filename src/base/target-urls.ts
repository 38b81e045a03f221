const SOCKET_SCHEME = 'unix:';

/** The path of the Unix socket, if a target of an upstream is a socket; null if the target is a URL. */
export function socketPath(target: string): string | null {
  return target.startsWith(SOCKET_SCHEME) ? target.slice(SOCKET_SCHEME.length) : null;
}

/** The URL for requests to a target. HTTP has no URL for a Unix socket, so its host is `localhost`, as usual. */
export function httpUrl(target: string): URL {
  return new URL(socketPath(target) === null ? target : 'http://localhost');
}
