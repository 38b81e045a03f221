/** A request, read and validated against the OpenAPI document. Integers are BigInt. */
export interface Call<Body = undefined, Query = object> {
  path: Readonly<Record<string, bigint>>;
  query: Readonly<Query>;
  body: Body;
}

/** `body` is a JSON text. */
export interface Reply {
  status: number;
  body?: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Handles one operationId. It refuses a request by throwing an ApiError. The types of its body and query come from the
 * OpenAPI document. The compiler cannot check that: hence `never`.
 */
type Operation = (call: Call<never, never>) => Reply;
export type Operations = Readonly<Record<string, Operation>>;

/** The part of a logger that the pet store uses; pino's fits. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
