import type { Awaitable } from '../base/awaitable.ts';
import type { ChangeContext } from '../registry/registry.ts';

/** A request, read and validated by the document. */
export interface Call<Body = undefined, Query = object> {
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Who asks for the change and why: a `reason` in the body goes before the header `X-Change-Reason`. */
  readonly change: ChangeContext;
  readonly ifMatch: string | undefined;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What one operationId does; refuses by throwing. Its types of body and query are what the document promises, which no
 * compiler can check: hence `never`.
 */
export type AdminOperation = (call: Call<never, never>) => Awaitable<Reply>;

/** By operationId. */
export type AdminOperations = Readonly<Record<string, AdminOperation>>;

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}
