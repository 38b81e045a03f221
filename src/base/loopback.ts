const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\]|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether a host, as in a URL, a socket or a setting, is this machine, as seen from itself. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
