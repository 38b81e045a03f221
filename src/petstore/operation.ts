/** A request, read and validated by the OpenAPI document. Integers are BigInt. */
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
 * What one operationId does. Refuses by throwing an ApiError. Its types of body and query are those that the OpenAPI
 * document promises, which no compiler can check: hence `never`.
 */
export type Operation = (call: Call<never, never>) => Reply;
export type Operations = Readonly<Record<string, Operation>>;

/** What the pet store asks of a logger; pino's fits. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
