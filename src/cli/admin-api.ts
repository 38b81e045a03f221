import { text as readText } from 'node:stream/consumers';
import { parseExact } from '../base/json.ts';
import type { ErrorDetail } from '../base/error-details.ts';
import { tableOf } from '../base/table-of.ts';
import { looksLikeKey } from '../http/redact-keys.ts';
import { type Access, findAccess } from './admin-access.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

export interface RequestInput {
  readonly json?: unknown;
  /** The reason for the audit log. */
  readonly reason?: string | undefined;
  readonly ifMatch?: string;
  readonly query?: Query;
}

export interface ApiResponse<T> {
  /** Undefined if the response has no body. */
  readonly body: T;
  readonly etag: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The admin API of a gateway, as described in `src/control-plane/admin/openapi/`. */
export interface AdminApi {
  /**
   * @param path below `/v1`, each segment percent-encoded: see `joinPath`
   * @throws NotReached, WrongListener, ApiError
   */
  call<T>(method: Method, path: string, sent?: RequestInput): Promise<ApiResponse<T>>;
  /**
   * Downloads a text response, and writes it out as it arrives.
   *
   * @throws the same errors as `call`, and Failure if the text is incomplete
   */
  download(path: string, wanted: Download, write: (text: string) => void): Promise<void>;
}

interface Download {
  readonly query: Query;
  /** The media type. */
  readonly accept: string;
  /** Aborted when nothing reads the output any more, to end the download. */
  readonly ended: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/** @throws Failure if the environment has no usable URL or token */
export function connect(io: Io): AdminApi {
  const access = findAccess(io.env, io.cwd);
  return {
    call: (method, path, sent = {}) => call(access, method, path, sent),
    download: (path, wanted, write) => download(access, path, wanted, write),
  };
}

const SECRET_TYPED_MESSAGE =
  'this is the secret of a key, not its id: "tollgate keys list" shows the ids\n' +
  '  The secret is now in the history of your shell. If others can read that, replace it: ' +
  '"tollgate keys rotate ID --grace-seconds 0"';

/** Refuses values that are secrets, because secrets must not get into logs. @throws UsageFailure */
export function refuseSecrets(values: readonly string[]): void {
  if (values.some(looksLikeKey)) throw new UsageFailure(SECRET_TYPED_MESSAGE);
}

/**
 * Builds a path from segments. @throws UsageFailure for a secret, because it must not get into logs, and for a segment
 * that would change the path
 */
export function joinPath(...steps: readonly string[]): string {
  refuseSecrets(steps);
  const wrong = steps.find((step) => /^\.{0,2}$/.test(step));
  if (wrong !== undefined) throw new UsageFailure(`"${wrong}" is not an id`);
  return steps.map((step) => `/${encodeURIComponent(step)}`).join('');
}

async function call<T>(access: Access, method: Method, path: string, sent: RequestInput): Promise<ApiResponse<T>> {
  const url = `${access.url}/v1${path}${formatQuery(sent.query ?? {})}`;
  const response = await send(access, url, {
    method,
    headers: createHeaders(access.token, sent),
    ...(sent.json === undefined ? {} : { body: JSON.stringify(sent.json) }),
    // Do not follow redirects, because they could send the token to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return read<T>(access, response);
}

async function read<T>(access: Access, response: Response): Promise<ApiResponse<T>> {
  const { ok, status, headers } = response;
  // Only the public listener sends rate-limit headers.
  if (headers.has('x-ratelimit-limit')) throw new WrongListener(access, 'the public listener of a gateway');
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

async function download(
  access: Access,
  path: string,
  { query, accept, ended }: Download,
  write: (text: string) => void,
): Promise<void> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), TIMEOUT_MS);
  try {
    const response = await send(access, `${access.url}/v1${path}${formatQuery(query)}`, {
      headers: { ...createHeaders(access.token, {}), Accept: accept },
      redirect: 'manual',
      signal: AbortSignal.any([idle.signal, ended]),
    });
    const { body } = response;
    if (!response.ok || body === null || response.headers.get('content-type') !== accept) {
      await read(access, response);
      throw new Failure(`the gateway at ${access.url} does not answer with ${accept}: update it`);
    }
    await writeChunks(body, (text) => {
      timer.refresh();
      write(text);
    });
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @throws Failure if the text is incomplete */
async function writeChunks(body: ReadableStream<Uint8Array>, write: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) write(decoder.decode(bytes, { stream: true }));
  } catch {
    throw new Failure('the output is incomplete: the gateway stopped sending. Its log says why; try again');
  }
}

async function send(access: Access, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new NotReached(access, error);
  }
}

function createHeaders(token: string, { json, reason, ifMatch }: RequestInput): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    // The gateway reads headers as UTF-8, but `fetch` sends each character as one byte. So pass each byte of the UTF-8
    // text as a character.
    ...(reason === undefined ? {} : { 'X-Change-Reason': Buffer.from(reason).toString('latin1') }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  };
}

function formatQuery(query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  refuseSecrets(parameters.map(([, value = '']) => value));
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
}

/** Parses JSON; undefined if it is invalid. Numbers in the data of events keep all their digits. */
function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

interface ErrorResponse {
  readonly status: number;
  /** Undefined if the response is not JSON. */
  readonly body: ErrorBody | undefined;
  readonly requestId: string | null;
}

/** The gateway returned an error. */
export class ApiError extends Failure {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly #access: Access;
  readonly #response: ErrorResponse;

  constructor(access: Access, response: ErrorResponse) {
    super(describeError(access, response, new Set()));
    this.#access = access;
    this.#response = response;
    this.status = response.status;
    this.code = response.body?.code;
  }

  /** The errors in the request; empty if the gateway did not list any. */
  get details(): readonly ErrorDetail[] {
    return this.#response.body?.details ?? [];
  }

  /** The message, naming options of the command (`--minute`) instead of fields of the API (`limits.minute`). */
  messageFor(options: ReadonlySet<string>): string {
    return describeError(this.#access, this.#response, options);
  }
}

function describeError(
  { url, tokenFrom }: Access,
  { status, body, requestId }: ErrorResponse,
  options: ReadonlySet<string>,
): string {
  if (body?.code === undefined) {
    return `the server at ${url} is not the admin API of a gateway (it responded with ${status}): check TOLLGATE_ADMIN_URL`;
  }
  if (body.code === 'unauthorized') {
    return `the gateway at ${url} refused the token from ${tokenFrom}: ${WRONG_TOKEN}`;
  }
  if (body.code === 'forbidden') {
    return `${body.message}\n  The token is from ${tokenFrom}. Use a token with the role admin.`;
  }
  const details = (body.details ?? []).map((detail) => `\n  ${formatDetail(detail, options)}`).join('');
  const trace =
    status >= 500 && requestId !== null ? `\n  The gateway's log has details for request id ${requestId}.` : '';
  const hint = HINTS.get(body.code);
  const message = details === '' ? body.message : 'the gateway rejected the request:';
  return `${message}${details}${hint === undefined ? '' : `\n  ${hint}`}${trace}`;
}

const WRONG_TOKEN =
  'set TOLLGATE_ADMIN_TOKEN, or TOLLGATE_ADMIN_TOKEN_FILE to the file admin-token in the data directory of that gateway';

/** Hints by error code. They mention commands, which the gateway's own messages do not. */
const HINTS = tableOf({
  key_not_found: 'Run "tollgate keys list" to see the ids.',
  plan_not_found: 'Run "tollgate plans list" to see the ids.',
  request_not_found:
    'The log has a line for every request: search the log for this id. The reason in that line is the error code. ' +
    '"tollgate usage history --key KEY --by outcome" counts the refusals of a key, including those that are not stored.',
  operation_not_found: 'Run "tollgate operations list" to see the ids.',
  account_not_found: 'Run "tollgate accounts list" to see the ids.',
  plan_request_not_found: 'Run "tollgate plan-requests list" to see the ids.',
  account_request_not_found: 'Run "tollgate account-requests list" to see the ids.',
  webhook_not_found: 'Run "tollgate webhooks list" to see the ids.',
  delivery_not_found: 'Run "tollgate webhooks deliveries WEBHOOK" to see the ids.',
  webhook_address_not_allowed:
    'events.allowPrivate and events.ports in the configuration set where webhooks may be sent',
  store_unavailable: 'Try again in a moment. "tollgate system" shows what is unavailable.',
  plan_in_use:
    '"tollgate keys list --plan ID" and "tollgate accounts list --plan ID" show what uses it: move them to another plan, ' +
    'or revoke the keys',
});

function formatDetail({ path, message }: ErrorDetail, options: ReadonlySet<string>): string {
  const segments = path.split('/').filter(Boolean);
  const option = segments.map((name) => findOption(name, options)).find((found) => found !== null);
  const field = option ?? segments.filter((name, index) => index > 0 || name !== 'query').join('.');
  return `${field} ${message.replaceAll(/`(\w+)`/g, (quoted, name: string) => findOption(name, options) ?? quoted)}`;
}

/** Options whose names differ from the names of their fields. */
const RENAMED_OPTIONS = tableOf({ q: '--search', accountId: '--account', bulkId: '--bulk' });

/** The option for a field of the API; null if the command has no such option. */
function findOption(field: string, options: ReadonlySet<string>): string | null {
  const option =
    RENAMED_OPTIONS.get(field) ?? `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return options.has(option) ? option : null;
}

const UNKNOWN_AUTHORITY =
  'its certificate is not signed by a trusted CA: set NODE_EXTRA_CA_CERTS to the CA certificate';
const PLAIN_HTTP = 'it speaks plain HTTP: use http:// in TOLLGATE_ADMIN_URL';

/** Suggested remedies by the code of Node's error. */
const REMEDIES = tableOf({
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names: use one of them in TOLLGATE_ADMIN_URL',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it',
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN_HTTP,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: PLAIN_HTTP,
  UND_ERR_SOCKET: 'it closed the connection: if it speaks TLS, use https:// in TOLLGATE_ADMIN_URL',
});

/** No response arrived. */
export class NotReached extends Failure {
  override readonly name = 'NotReached';
  /** Whether the request certainly did not reach the gateway. */
  readonly neverSent: boolean;

  constructor({ url }: Access, error: unknown) {
    const { code, message } = readCause(error);
    super(
      code === 'ECONNREFUSED'
        ? `no gateway answers at ${url}: start one with "tollgate start" (or "npm start"), or set TOLLGATE_ADMIN_URL ` +
            'to its admin listener (adminUrl in its log line "listening")'
        : `cannot reach the admin API at ${url} (${code ?? message}): ` +
            (REMEDIES.get(code ?? '') ?? 'check TOLLGATE_ADMIN_URL, and that the gateway is running'),
    );
    this.neverSent = code === 'ECONNREFUSED' || code === 'ENOTFOUND';
  }
}

/**
 * Whether a change may have been made although the call failed. A 4xx means that it was not made. Without a response or
 * after a 5xx, it may have been.
 */
export function mayHaveSucceeded(error: Failure): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  return !(error instanceof NotReached && error.neverSent);
}

/** Reads the reason from the error's `cause`, because the message of `fetch` only says that it failed. */
function readCause(error: unknown): { readonly code?: string; readonly message: string } {
  const { cause, name, message } = error as Error & { readonly cause?: { code?: string; message: string } };
  if (name === 'TimeoutError') return { message: 'no response in time' };
  return cause ?? { message };
}

/** The URL leads to the portal or the public listener instead of the admin API. */
class WrongListener extends Failure {
  override readonly name = 'WrongListener';

  constructor({ url }: Access, what: 'the public listener of a gateway' | 'the portal of a gateway') {
    super(
      `${url} is ${what}: set TOLLGATE_ADMIN_URL to its admin listener (port 8081 by default; ` +
        'adminUrl in its log line "listening")',
    );
  }
}
