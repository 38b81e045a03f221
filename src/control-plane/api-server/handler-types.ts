import type { IncomingMessage } from 'node:http';
import type { Awaitable } from '../../base/awaitable.ts';
import type { ChangeContext } from '../registry/audit-log.ts';
import type { ApiCaller, ReplyHeaders } from './send-response.ts';
import type { StoredText } from '../../http/stored-text.ts';

/**
 * An operation according to the OpenAPI document. `npm run generate` writes these types to `admin-types.ts` and
 * `portal-types.ts`.
 */
export interface OperationTypes {
  readonly path: unknown;
  readonly query: unknown;
  /** Undefined if the operation has no body. */
  readonly body: unknown;
  /** The JSON of the response by status; undefined if the response has no body. */
  readonly answers: object;
}

/** A request, read and validated against the OpenAPI document, with its defaults filled in. */
export interface Call<Operation extends OperationTypes = OperationTypes, Caller extends ApiCaller = ApiCaller> {
  /** Path parameters, decoded. */
  readonly path: Operation['path'];
  readonly query: Operation['query'];
  /** Undefined if the operation has `x-tollgate-max-body`. It reads its body with `readPieces`. */
  readonly body: Operation['body'];
  /** Reads the body in pieces, as they arrive. Throws `Refused` if the body is too large or ends early. */
  readonly readPieces: () => AsyncIterable<Uint8Array>;
  /** Actor, reason and time of a change. A `reason` in the body takes precedence over the header `X-Change-Reason`. */
  readonly change: ChangeContext;
  readonly ifMatch: string | undefined;
  readonly caller: Caller;
  /** The raw request, for data that the OpenAPI document does not describe, such as cookies and the origin. */
  readonly request: IncomingMessage;
  /** Returns the media type that the caller prefers according to `Accept`; false if none is acceptable. */
  readonly accepts: (types: readonly string[]) => string | false;
}

/** The response that a handler returns. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Replaces `body`: sent unchanged, with the `Content-Type` in `headers`. */
  readonly text?: string | undefined;
  /** Replaces `body` and `text`: sent compressed if the client accepts that. */
  readonly stored?: StoredText | undefined;
  /** Replaces `body`, `text` and `stored`: each piece is sent once the client has read the previous one. */
  readonly pieces?: AsyncIterable<string> | undefined;
  readonly headers?: ReplyHeaders;
  /** Whether clients poll this operation. Its requests are then logged at debug level. */
  readonly isRoutine?: boolean;
}

/** A response of an operation according to the document: one of its statuses, with the JSON of that status. */
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

/** The handlers of a document's operations, by operationId. A handler refuses a request by throwing an error. */
export type Handlers<Operations, Caller extends ApiCaller> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? (call: Call<Operations[Id], Caller>) => Awaitable<ReplyOf<Operations[Id]>>
    : never;
};

/** Handlers of any document, for code that only forwards requests and responses. */
export type AnyHandlers<Caller extends ApiCaller> = Readonly<
  Record<string, (call: Call<NeverRead, Caller>) => Awaitable<Reply>>
>;

interface NeverRead extends OperationTypes {
  readonly path: never;
  readonly query: never;
  readonly body: never;
  readonly answers: never;
}
