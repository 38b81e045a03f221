import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { formatErrorBody, errors } from '../../domain/error-codes.ts';
import { decodeCursor, toPage, type Page } from '../../storage/paging.ts';
import { Refused, toRefused } from './refused.ts';
import { replaceKeys } from '../../http/redact-keys.ts';

/** Facts about a request that are collected while it is handled. */
export interface Locals<Caller extends ApiCaller = ApiCaller> {
  requestId: string;
  caller?: Caller;
  operationId?: string;
  /**
   * Whether to log the request at debug level: a probe, a poll that a machine sends every few seconds, or a file of the
   * pages.
   */
  isRoutine?: boolean;
  refusal?: string;
}

export type Handler<Caller extends ApiCaller = ApiCaller> = RequestHandler<
  Parameters,
  unknown,
  unknown,
  unknown,
  Locals<Caller>
>;
type ErrorHandler = ErrorRequestHandler<Parameters, unknown, unknown, unknown, Locals>;
type Parameters = Record<string, string>;

/** Headers by name. A list means that the header is sent several times. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Writing this much takes less than a millisecond. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends a response. Does not use `res.send`, because it adds an ETag of the body and responds with 304 if that matches.
 */
export function respond(res: Response, status: number, headers: ReplyHeaders, body: string | Buffer | undefined): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (body !== undefined) {
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'application/json');
    res.setHeader('Content-Length', Buffer.byteLength(body));
  }
  res.end(body);
}

/** Sends a response like `respond`. A long text is written in pieces, so that requests are served in between. */
export async function respondWithText(
  req: IncomingMessage,
  res: Response,
  {
    status,
    headers,
    text,
  }: { readonly status: number; readonly headers: ReplyHeaders; readonly text: string | undefined },
): Promise<void> {
  if (text === undefined || text.length <= PIECE_BYTES) {
    respond(res, status, headers, text);
    return;
  }
  const bytes = Buffer.from(text);
  const ownHeaders = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) };
  await respondInPieces(req, res, { status, headers: { ...ownHeaders, ...headers }, pieces: sliceBytes(bytes) });
}

async function* sliceBytes(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
    await nextTurn();
  }
}

/**
 * Sends a response while it is produced, no faster than the client reads it. The next piece is requested only when
 * there is room for it, and no more pieces are requested after the client has disconnected. If the first piece fails,
 * the error is thrown before anything is sent.
 */
export async function respondInPieces(
  { method }: IncomingMessage,
  res: ServerResponse,
  {
    status,
    headers,
    pieces,
  }: { readonly status: number; readonly headers: ReplyHeaders; readonly pieces: AsyncIterable<string | Buffer> },
): Promise<void> {
  for await (const piece of pieces) {
    if (!res.headersSent) {
      res.statusCode = status;
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    }
    if (method === 'HEAD') break;
    const hasRoom = res.write(piece);
    if (!hasRoom && !res.destroyed) await waitForRoom(res);
    if (res.destroyed) return;
  }
  res.end();
}

/**
 * Resolves when the client has read what was written, or has disconnected. This always happens, because the server
 * closes the connections of clients that stop reading.
 */
function waitForRoom(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      res.off('drain', finish).off('close', finish);
      resolve();
    };
    res.on('drain', finish).on('close', finish);
  });
}

/**
 * The only place where an error becomes a response.
 *
 * @param failureMessage the log message for an internal error
 */
export function createErrorHandler(failureMessage: string, logger: Logger): ErrorHandler {
  return function respondWithError(error: unknown, _req, res, _next) {
    const { code, message, details, headers } = toRefused(error) ?? logInternalError(error, res.locals.requestId);
    res.locals.refusal = code;
    if (res.headersSent) {
      res.destroy();
      return;
    }
    // The name of a field or a quoted value may contain a key. A key must not be sent back, because it could end up in
    // the caller's log.
    respond(res, errors[code].status, headers, replaceKeys(formatErrorBody(code, message, details)));
  };

  function logInternalError(error: unknown, requestId: string): Refused {
    logger.error({ err: error, requestId }, failureMessage);
    return new Refused('internal_error');
  }
}

/**
 * The `Link` header with the next page of a CSV table (RFC 8288). A table has no other place for the cursor.
 *
 * @param path the path of the table, percent-encoded
 * @param query the query of the request, without the cursor
 */
export function createNextLink(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | null,
): { readonly Link?: string } {
  if (cursor === null) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  parameters.set('cursor', cursor);
  return { Link: `<${path}?${parameters.toString()}>; rel="next"` };
}

/**
 * Returns one page of a list that is entirely in memory. The cursor holds the sort key of the page's last item, so that no
 * item is repeated or skipped when others are added or removed.
 *
 * @param items sorted by `getSortKey`
 * @throws RegistryError `invalid_cursor`
 */
export function paginate<T>(
  list: string,
  items: readonly T[],
  getSortKey: (item: T) => string,
  { limit, cursor }: PageQuery,
): Page<T> {
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const rest = after === undefined ? items : items.filter((item) => getSortKey(item) > after);
  return toPage(list, rest, limit, getSortKey, (item) => item);
}

/** The fields that the callers of both APIs have. */
export interface ApiCaller {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
}

/** The query of a paged list. The OpenAPI document sets the maximum of `limit`. */
interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}
