import { text as readText } from 'node:stream/consumers';
import { parseExact } from '../base/json.ts';
import type { ErrorDetail } from '../base/error-codes.ts';
import { tableOf } from '../base/table-of.ts';
import { looksLikeKey } from '../http/redact-keys.ts';
import { type Access, findAccess } from './admin-access.ts';
import { Failure, UsageFailure } from './command.ts';
import type { Io } from './io.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface Sent {
  readonly json?: unknown;
  /** The reason for the audit log; undefined if none was given. */
  readonly reason?: string | undefined;
  readonly ifMatch?: string;
  readonly query?: Query;
}

export interface Answer<T> {
  /** Undefined if the answer has no body. */
  readonly body: T;
  readonly etag: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The admin API of a gateway, as described in `src/control-plane/admin/openapi/`. */
export interface AdminApi {
  /**
   * @param path below `/v1`, each segment percent-encoded: see `pathTo`
   * @throws NotReached, WrongListener, ApiError
   */
  call<T>(method: Method, path: string, sent?: Sent): Promise<Answer<T>>;
}

const TIMEOUT_MS = 30_000;

/** @throws Failure if the environment does not say how to reach the API */
export function connect(io: Io): AdminApi {
  const access = findAccess(io.env, io.cwd);
  return { call: (method, path, sent = {}) => call(access, method, path, sent) };
}

const SECRET_TYPED =
  'this is the secret of a key, where an id is expected ("tollgate keys list" shows the ids). It may be in the history of ' +
  'your shell now: if others can read that, "tollgate keys rotate ID --grace-seconds 0" replaces the secret';

/** @throws UsageFailure for what cannot be an id: a secret, which must not get into logs, or what changes the path */
export function pathTo(...steps: readonly string[]): string {
  if (steps.some(looksLikeKey)) throw new UsageFailure(SECRET_TYPED);
  const wrong = steps.find((step) => /^\.{0,2}$/.test(step));
  if (wrong !== undefined) throw new UsageFailure(`"${wrong}" is no id`);
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('');
}

async function call<T>(access: Access, method: Method, path: string, sent: Sent): Promise<Answer<T>> {
  const url = `${access.url}/v1${path}${queryOf(sent.query ?? {})}`;
  const response = await send(access, url, {
    method,
    headers: headersOf(access.token, sent),
    ...(sent.json === undefined ? {} : { body: JSON.stringify(sent.json) }),
    // The token is for the gateway that was named, not for one that it redirects to.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { ok, status, headers } = response;
  if (headers.has('x-ratelimit-limit')) throw new WrongListener(access, 'where consumers call a gateway');
  let text: string;
  try {
    text = response.body === null ? '' : await readText(response.body);
  } catch (error) {
    throw new NotReached(access, error);
  }
  const body = text === '' ? undefined : parse(text);
  if (ok && (status === 204 || body !== undefined)) return { body: body as T, etag: headers.get('etag') ?? '' };
  if ((body as ErrorBody | undefined)?.code === 'sign_in_needed') {
    throw new WrongListener(access, 'the portal of a gateway');
  }
  throw new ApiError(access, { status, body: body as ErrorBody | undefined, requestId: headers.get('x-request-id') });
}

async function send(access: Access, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new NotReached(access, error);
  }
}

function headersOf(token: string, { json, reason, ifMatch }: Sent): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    // `fetch` sends each character as a byte, and the gateway reads the header as UTF-8: so pass its UTF-8 bytes.
    ...(reason === undefined ? {} : { 'X-Change-Reason': Buffer.from(reason).toString('latin1') }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  };
}

function queryOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  if (given.some(([, value = '']) => looksLikeKey(value))) throw new UsageFailure(SECRET_TYPED);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** With all digits of the numbers that services put into events: `--json` writes them as they came. */
function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

export interface ErrorAnswer {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly body: ErrorBody | undefined;
  readonly requestId: string | null;
}

/** The gateway answered, and refused. */
export class ApiError extends Failure {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: readonly ErrorDetail[];

  constructor(access: Access, answer: ErrorAnswer) {
    super(inWords(access, answer));
    this.status = answer.status;
    this.code = answer.body?.code;
    this.details = answer.body?.details ?? [];
  }
}

function inWords({ url, tokenFrom }: Access, { status, body, requestId }: ErrorAnswer): string {
  if (body?.code === undefined) {
    return `what answers at ${url} (status ${status}) is not the admin API of a gateway: check TOLLGATE_ADMIN_URL`;
  }
  if (body.code === 'unauthorized') {
    return `the gateway at ${url} does not know the token from ${tokenFrom}: ${WRONG_TOKEN}`;
  }
  if (body.code === 'forbidden') {
    return `${body.message.replace(/\.$/, '')}: it is from ${tokenFrom}; use one of the role admin`;
  }
  const details = (body.details ?? []).map(({ path, message }) => `\n  ${fieldOf(path)} ${message}`).join('');
  const trace = status >= 500 && requestId !== null ? `\n  request id ${requestId}: the gateway's log has more` : '';
  const hint = HINTS.get(body.code);
  const message = details === '' ? body.message : 'the gateway does not take this:';
  return `${message}${details}${hint === undefined ? '' : `\n  ${hint}`}${trace}`;
}

const WRONG_TOKEN =
  'set TOLLGATE_ADMIN_TOKEN, or TOLLGATE_ADMIN_TOKEN_FILE to the file admin-token in the data directory of that gateway';

/** What to do next, as commands, which the gateway's own messages cannot know. */
const HINTS = tableOf({
  key_not_found: '"tollgate keys list" shows the ids',
  plan_not_found: '"tollgate plans list" shows the ids',
  operation_not_found: '"tollgate operations list" shows the ids',
  account_not_found: '"tollgate accounts list" shows the ids',
  plan_request_not_found: '"tollgate plan-requests list" shows the ids',
  webhook_not_found: '"tollgate webhooks list" shows the ids',
  delivery_not_found: '"tollgate webhooks deliveries ID" shows the ids of a webhook',
  webhook_address_not_allowed: 'events.allowPrivate and events.ports in the configuration say where webhooks may go',
  store_unavailable: 'wait a moment, and try again; "tollgate system" says what is away',
  plan_in_use:
    '"tollgate keys list --plan ID" and "tollgate accounts list --plan ID" show them: move them to another plan, or ' +
    'revoke the keys',
});

/** `/limits/minute` as `limits.minute`. */
function fieldOf(path: string): string {
  return path.split('/').filter(Boolean).join('.');
}

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
