import type { ServerResponse } from 'node:http';

const INERT = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'writeHead',
  'flushHeaders',
  'write',
  'end',
  'addTrailers',
  'writeContinue',
  'writeProcessing',
  'writeEarlyHints',
] as const;

/**
 * Takes a response away from its upstream, once the gateway has answered in its place. A service in this process may
 * still be working on it: its calls have no effect, and must not throw where nobody would catch it.
 */
export function disarm(res: ServerResponse): void {
  const inert = () => res;
  for (const name of INERT) Object.defineProperty(res, name, { value: inert, configurable: true, writable: true });
}
