import type { IncomingMessage } from 'node:http';
import { invalidField } from '../../api-server/refused.ts';

/**
 * Request headers about the connection, the caller or the key. A call from “Try it” must not have them, because the
 * gateway sets them. `Authorization` is allowed, because it may be for the service. If it holds a key of the gateway, the
 * call has two keys and is refused.
 */
const REFUSED_HEADERS = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-api-key',
]);
const REFUSED_PREFIXES = ['proxy-', 'x-forwarded-'];

/**
 * Response headers that are not passed to the page. Headers about the connection do not apply to the browser's own
 * connection, and the cookies of a service do not belong to the portal.
 */
const HIDDEN_HEADERS = new Set(['connection', 'keep-alive', 'set-cookie', 'transfer-encoding']);

/** @throws Refused `validation_failed` */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) {
    const lowerCaseName = name.toLowerCase();
    if (REFUSED_HEADERS.has(lowerCaseName) || REFUSED_PREFIXES.some((prefix) => lowerCaseName.startsWith(prefix))) {
      throw invalidField(`/headers/${name}`, 'cannot be set here: remove it');
    }
  }
}

/** Response headers by name in lower case. Several values of the same header are joined with a comma. */
export function readResponseHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).flatMap(([name, values = []]): [string, string][] =>
      HIDDEN_HEADERS.has(name) ? [] : [[name, values.join(', ')]],
    ),
  );
}
