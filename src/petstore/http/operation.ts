/** A request, read and validated against the OpenAPI document. Integers are BigInt. */
export interface Call<Body = undefined, Query = object> {
  path: Readonly<Record<string, bigint>>;
  query: Readonly<Query>;
  body: Body;
}

/** A response. Its `body` is a JSON text. */
export interface Reply {
  status: number;
  body?: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Handles one operationId. It refuses a request by throwing an ApiError. Its body and query are `never`, because the
 * compiler cannot check their types against the OpenAPI document.
 */
type Operation = (call: Call<never, never>) => Reply;
export type Operations = Readonly<Record<string, Operation>>;

/** The part of a logger that the pet store uses. A pino logger has it. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
