import type { ServerResponse } from 'node:http';
import type { ChangeContext } from '../registry/audit-log.ts';
import { findPathFault } from '../../http/path-rules.ts';
import type { Clock } from '../../base/time.ts';
import { normalizeEscapes } from '../../openapi/path-template.ts';
import { createRouter, parametersByName } from '../../openapi/operation-router.ts';
import type { ApiDocument, ApiRoute } from './api-document.ts';
import type { AnyHandlers, Call, OperationTypes } from './handler-types.ts';
import { checkPath, readBody, readHeaders, readPieces, readQuery } from './read-request.ts';
import { Refused } from './refused.ts';
import { respondInPieces, respondWithText, type Handler, type Locals, type ApiCaller } from './send-response.ts';
import { respondStored } from '../../http/stored-text.ts';

interface RouteOptions<Caller extends ApiCaller> {
  readonly document: ApiDocument;
  readonly handlers: AnyHandlers<Caller>;
  /** The caller of operations without authentication, such as signing in. */
  readonly nobody: Caller;
  /** Ids of the operations whose path parameters may contain an encoded slash; none by default. */
  readonly encodedSlashes?: ReadonlySet<string>;
  readonly clock: Clock;
}

/** Finds the operation of a request, validates the request, and sends the response of the operation's handler. */
export function createRoute<Caller extends ApiCaller>(options: RouteOptions<Caller>): Handler<Caller> {
  const { document, handlers, nobody, encodedSlashes = NO_OPERATIONS, clock } = options;
  const matchRoute = createRouter(document.routes);

  return async function route(req, res) {
    const sentPath = req.originalUrl.split('?', 1)[0] ?? '';
    const routeMatch = matchRoute(req.method, normalizeEscapes(sentPath));
    const mayHaveSlash = routeMatch.kind === 'operation' && encodedSlashes.has(routeMatch.route.operation.id);
    const fault = findPathFault(mayHaveSlash ? sentPath.replaceAll(ENCODED_SLASH, '-') : sentPath);
    if (fault !== null) throw new Refused('invalid_path', { message: `The path ${fault}.` });
    if (routeMatch.kind === 'no_path') throw new Refused('route_not_found');
    if (routeMatch.kind === 'no_method')
      throw new Refused('method_not_allowed', { headers: { Allow: routeMatch.allow } });
    const { operation } = routeMatch.route;
    res.locals.operationId = operation.id;
    const handler = handlers[operation.id] as (typeof handlers)[string];
    const call = await readCall(routeMatch.route, parametersByName(operation, routeMatch.values), req, res);
    const {
      status,
      body,
      text,
      stored,
      pieces,
      headers = {},
      isRoutine = false,
    } = await handler(call as Parameters<typeof handler>[0]);
    res.locals.isRoutine = isRoutine;
    if (stored !== undefined) return respondStored(req, res, stored, headers, status);
    if (pieces !== undefined) return respondInPieces(req, res, { status, headers, pieces });
    const sentText = text ?? (body === undefined ? undefined : JSON.stringify(body));
    await respondWithText(req, res, { status, headers, text: sentText });
  };

  async function readCall(
    apiRoute: ApiRoute,
    path: Readonly<Record<string, string>>,
    req: Parameters<Handler>[0],
    res: ServerResponse & { locals: Locals<Caller> },
  ): Promise<Call<OperationTypes, Caller>> {
    const { caller = nobody } = res.locals;
    checkPath(apiRoute, path);
    const query = readQuery(apiRoute, req.originalUrl);
    const headers = readHeaders(apiRoute, req);
    const body = await readBody(apiRoute, req, res);
    const { 'X-Change-Reason': headerReason, 'If-Match': ifMatch } = headers as Record<string, string | undefined>;
    const reason = (body as { reason?: string } | undefined)?.reason ?? headerReason ?? null;
    const change: ChangeContext = { actor: caller.name, reason, at: clock() };
    const accepts: Call['accepts'] = (types) => req.accepts([...types]);
    const readBodyPieces = () => readPieces(apiRoute, req);
    return { path, query, body, readPieces: readBodyPieces, change, ifMatch, accepts, caller, request: req };
  }
}

const NO_OPERATIONS: ReadonlySet<string> = new Set();
const ENCODED_SLASH = /%2f/gi;
