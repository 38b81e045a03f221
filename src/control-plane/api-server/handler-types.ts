import type { IncomingMessage } from 'node:http';
import type { Awaitable } from '../../base/awaitable.ts';
import type { ChangeContext } from '../registry/audit-log.ts';
import type { ApiCaller, ReplyHeaders } from './send-response.ts';
import type { StoredText } from '../../http/stored-text.ts';

/**
 * An operation according to the OpenAPI document: in `admin-types.ts` or `portal-types.ts`, which `npm run generate`
 * writes.
 */
export interface OperationTypes {
  readonly path: unknown;
  readonly query: unknown;
  /** Undefined if there is none. */
  readonly body: unknown;
  /** By status: the JSON, or undefined if there is none. */
  readonly answers: object;
}

/** A request, read and validated against the OpenAPI document, with its defaults filled in. */
export interface Call<Operation extends OperationTypes = OperationTypes, Caller extends ApiCaller = ApiCaller> {
  /** Path parameters, decoded. */
  readonly path: Operation['path'];
  readonly query: Operation['query'];
  readonly body: Operation['body'];
  /** Who makes the change and why: a `reason` in the body takes precedence over the header `X-Change-Reason`. */
  readonly change: ChangeContext;
  readonly ifMatch: string | undefined;
  readonly caller: Caller;
  /** For what no document describes: cookies, the origin of the request. */
  readonly request: IncomingMessage;
  /** The media type that the caller prefers by `Accept`; false if none is acceptable. */
  readonly accepts: (types: readonly string[]) => string | false;
}

/** Sent in addition to what the document says. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Instead of a body: sent unchanged, with the `Content-Type` in the headers. */
  readonly text?: string | undefined;
  /** In place of both: sent compressed if the client accepts it. */
  readonly stored?: StoredText | undefined;
  /** In place of all of these: sent piece by piece, each when the client has read the one before. */
  readonly pieces?: AsyncIterable<string> | undefined;
  readonly headers?: ReplyHeaders;
  /** Polled requests, which are logged at debug level. */
  readonly isRoutine?: boolean;
}

/** What an operation may respond with according to the document: one of its statuses, with its JSON. */
export type ReplyOf<Operation extends OperationTypes> = {
  readonly [Status in keyof Operation['answers'] & number]: DocumentedReply<Status, Operation['answers'][Status]>;
}[keyof Operation['answers'] & number];

type DocumentedReply<Status extends number, Body> = Omit<Reply, 'body' | 'text' | 'stored' | 'pieces'> & {
  readonly status: Status;
} & (
    | (Body extends undefined ? unknown : { readonly body: Body } & No<'text' | 'stored' | 'pieces'>)
    | ({ readonly text: string } & No<'body' | 'stored' | 'pieces'>)
    | ({ readonly stored: StoredText } & No<'body' | 'text' | 'pieces'>)
    | ({ readonly pieces: AsyncIterable<string> } & No<'body' | 'text' | 'stored'>)
  );

type No<Names extends string> = { readonly [name in Names]?: undefined };

/** The handlers of a document's operations, by operationId. They refuse by throwing. */
export type Handlers<Operations, Caller extends ApiCaller> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? (call: Call<Operations[Id], Caller>) => Awaitable<ReplyOf<Operations[Id]>>
    : never;
};

/** Handlers for any document, for code that only passes requests and responses on. */
export type AnyHandlers<Caller extends ApiCaller> = Readonly<
  Record<string, (call: Call<NeverRead, Caller>) => Awaitable<Reply>>
>;

interface NeverRead extends OperationTypes {
  readonly path: never;
  readonly query: never;
  readonly body: never;
  readonly answers: never;
}
