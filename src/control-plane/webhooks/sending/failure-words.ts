import { RegistryError } from '../../../base/error-types.ts';
import { tableOf } from '../../../base/table-of.ts';
import { AddressRefused, NameNotFound } from '../addresses/guarded-connector.ts';

const CLOSED = 'the connection was closed before an answer came';
const UNREACHABLE = 'the address cannot be reached';
const NO_HTTP = 'the answer is not valid HTTP';

const WORDS = tableOf({
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NO_HTTP,
  UND_ERR_HEADERS_OVERFLOW: NO_HTTP,
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  ETIMEDOUT: 'no connection was made in time',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
});

/** Codes of what is wrong with a certificate, or with TLS itself. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO)/;

/** Why no answer came, for whom the webhook belongs to: nothing of the gateway's own network. */
export function failureInWords(error: unknown, attemptMs: number): string {
  if (error instanceof AddressRefused || error instanceof RegistryError) return error.message;
  if (error instanceof NameNotFound) return 'the name cannot be found';
  const { name, code = '' } = error as { name?: string; code?: string | number };
  if (name === 'TimeoutError') return `no answer came within ${attemptMs / 1000} seconds`;
  if (name === 'HTTPParserError') return NO_HTTP;
  const words = WORDS.get(String(code));
  if (words !== undefined) return words;
  return TLS.test(String(code)) ? `TLS failed (${code})` : `it failed (${code === '' ? name : code})`;
}
