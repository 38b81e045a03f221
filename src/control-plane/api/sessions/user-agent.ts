import type { IncomingMessage } from 'node:http';

const MAX_LENGTH = 200;

/** The browser that a request comes from, as it calls itself, fit to be shown. */
export function userAgentOf({ headers }: IncomingMessage): string {
  return (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_LENGTH);
}
