import { text as readText } from 'node:stream/consumers';
import { parseExact } from '../../base/json.ts';
import { findAccess, type Access } from './access.ts';
import { looksLikeKey } from '../../http/redact-keys.ts';
import { ApiError, type ErrorBody } from './api-error.ts';
import { NotReached, WrongListener } from './not-reached.ts';
import type { Io } from '../io.ts';
import { UsageFailure } from '../failure.ts';

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
