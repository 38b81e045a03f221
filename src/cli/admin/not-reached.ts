import { tableOf } from '../../base/table-of.ts';
import { Failure } from '../failure.ts';
import type { Access } from './access.ts';

const UNKNOWN_AUTHORITY =
  'no authority that Node knows vouches for its certificate: set NODE_EXTRA_CA_CERTS to the file of its authority';
const PLAIN_HTTP = 'it speaks plain HTTP: begin TOLLGATE_ADMIN_URL with http://';

/** What to do, by the code of Node's error. */
const REMEDIES = tableOf({
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names: set TOLLGATE_ADMIN_URL to one of them',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it',
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN_HTTP,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: PLAIN_HTTP,
  UND_ERR_SOCKET: 'it ends the connection: if it speaks TLS, begin TOLLGATE_ADMIN_URL with https://',
});

/** No answer came. */
export class NotReached extends Failure {
  override readonly name = 'NotReached';
  /** Whether it is certain that the request did not arrive. */
  readonly neverSent: boolean;

  constructor({ url }: Access, error: unknown) {
    const { code, message } = causeOf(error);
    super(
      code === 'ECONNREFUSED'
        ? `no gateway answers at ${url}: start one with "tollgate start" (or "npm start"), or set TOLLGATE_ADMIN_URL ` +
            'to where its admin API listens (the field adminUrl of its log line "listening")'
        : `the admin API at ${url} cannot be reached (${code ?? message}): ` +
            (REMEDIES.get(code ?? '') ?? 'check TOLLGATE_ADMIN_URL, and that the gateway runs'),
    );
    this.neverSent = code === 'ECONNREFUSED' || code === 'ENOTFOUND';
  }
}

/** `fetch` says only that it failed; the reason is in the error's `cause`. */
function causeOf(error: unknown): { readonly code?: string; readonly message: string } {
  const { cause, name, message } = error as Error & { readonly cause?: { code?: string; message: string } };
  if (name === 'TimeoutError') return { message: 'no answer in time' };
  return cause ?? { message };
}

/** The URL is that of the consumers' listener (only there does every response carry rate-limit headers), or of the portal. */
export class WrongListener extends Failure {
  override readonly name = 'WrongListener';

  constructor({ url }: Access, what: 'where consumers call a gateway' | 'the portal of a gateway') {
    super(
      `${url} is ${what}: set TOLLGATE_ADMIN_URL to its admin listener (by default port 8081; the ` +
        'field adminUrl of its log line "listening")',
    );
  }
}
