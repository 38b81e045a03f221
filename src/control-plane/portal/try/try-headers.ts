import type { IncomingMessage } from 'node:http';
import { invalid } from '../../api-server/refused.ts';

/**
 * About the connection, the caller or the key: for a tried call, the gateway sets these. `Authorization` is for the
 * service; with a key of the gateway in it, the call has two keys and is refused.
 */
const REFUSED = new Set([
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

/** Response headers about the connection, which is not the browser's; and cookies, which are not for this origin. */
const HIDDEN = new Set(['connection', 'keep-alive', 'set-cookie', 'transfer-encoding']);

/** @throws Refused `validation_failed` */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) {
    const lowerCase = name.toLowerCase();
    if (REFUSED.has(lowerCase) || REFUSED_PREFIXES.some((prefix) => lowerCase.startsWith(prefix))) {
      throw invalid(`/headers/${name}`, 'cannot be set here: remove it');
    }
  }
}

/** By name in lower case; several of a kind are joined with a comma. */
export function answerHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).flatMap(([name, values = []]): [string, string][] =>
      HIDDEN.has(name) ? [] : [[name, values.join(', ')]],
    ),
  );
}
