/** The status and message of each error code. An `ApiError` may have a more precise message instead. */
export const ERRORS = {
  bad_request: { status: 400, message: 'The request is malformed.' },
  validation_failed: { status: 400, message: 'The request does not match the API description. See details.' },
  route_not_found: { status: 404, message: 'There is no operation at this path.' },
  pet_not_found: { status: 404, message: 'There is no such pet.' },
  category_not_found: { status: 404, message: 'There is no such category.' },
  order_not_found: { status: 404, message: 'There is no such order.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method. The Allow header lists the methods it supports.',
  },
  pet_has_open_orders: { status: 409, message: 'The pet has open orders: complete or cancel them first.' },
  category_in_use: { status: 409, message: 'The category has pets: move or delete them first.' },
  pet_not_available: { status: 409, message: 'The pet cannot be ordered in its current status.' },
  out_of_stock: { status: 409, message: 'There are not enough of this pet in stock.' },
  invalid_transition: { status: 409, message: 'The pet cannot change from its current status to this one.' },
  order_complete: { status: 409, message: 'The order is complete and can no longer be changed.' },
  body_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be application/json.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  overloaded: { status: 503, message: 'Too many events are waiting to be published. Try again later.' },
  shutting_down: { status: 503, message: 'The service is shutting down. Try again.' },
} as const;

type ErrorCode = keyof typeof ERRORS;

/** A fault and its remedy. `path` is a JSON pointer into the body, `/path/<name>` or `/query/<name>`. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** A refusal with a message for the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].message,
    options: { details?: readonly ErrorDetail[] | undefined; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** `validation_failed` with one detail; see {@link ErrorDetail}. */
export function invalidField(path: string, message: string): ApiError {
  return new ApiError('validation_failed', undefined, { details: [{ path, message }] });
}

/** An error that keeps the pet store from starting. Its message is one line for the person who starts it. */
export class PetStoreStartError extends Error {
  override name = 'PetStoreStartError';
}
