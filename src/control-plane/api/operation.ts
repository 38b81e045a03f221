import type { ApiCaller } from './respond.ts';
import type { IncomingMessage } from 'node:http';
import type { Awaitable } from '../../base/awaitable.ts';
import type { ReplyHeaders } from './respond.ts';
import type { ChangeContext } from '../registry/audit-log.ts';

/** A request, read and validated against the OpenAPI document. */
export interface Call<Body = undefined, Query = object, Caller extends ApiCaller = ApiCaller> {
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Who makes the change and why: a `reason` in the body takes precedence over the header `X-Change-Reason`. */
  readonly change: ChangeContext;
  readonly ifMatch: string | undefined;
  readonly caller: Caller;
  /** For what no document describes: cookies, where it comes from. */
  readonly request: IncomingMessage;
  /** Of these media types, the one that the caller likes best, by `Accept`; false if none will do. */
  readonly accepts: (types: readonly string[]) => string | false;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** In place of a body: sent as it is, with the `Content-Type` among the headers. */
  readonly text?: string;
  readonly headers?: ReplyHeaders;
  /** What is asked for again and again, by whoever follows it: logged at debug level. */
  readonly isRoutine?: boolean;
}

/**
 * Handles one operationId; refuses by throwing. The types of its body and query are what the document promises, which
 * the compiler cannot check: hence `never`.
 */
export type OperationHandler<Caller extends ApiCaller> = (call: Call<never, never, Caller>) => Awaitable<Reply>;

/** By operationId. */
export type Operations<Caller extends ApiCaller> = Readonly<Record<string, OperationHandler<Caller>>>;
