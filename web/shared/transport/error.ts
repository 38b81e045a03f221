/** The body of every error response of Tollgate's APIs. */
interface ErrorBody {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** The error if an API responds with one, or does not respond at all (status 0, code `unreachable`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The faults in the request body. In a `path`, a `/` precedes the name of each nested field. */
  readonly details: NonNullable<ErrorBody['details']>;

  constructor({ status, code, message, details = [] }: ErrorBody) {
    super(details.length === 0 ? message : details.map(describeFault).join(' '));
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const UNREACHABLE: ErrorBody = {
  status: 0,
  code: 'unreachable',
  message: 'The gateway did not respond.',
};

/**
 * Creates the error for a response. A proxy in between does not use our format, so its error is described by the
 * status.
 */
export function parseError(status: number, body: unknown): ApiError {
  return new ApiError(
    isErrorBody(body) ? body : { status, code: 'no_answer_of_ours', message: describeProxyResponse(status) },
  );
}

/** Turns the path and message of a fault into a sentence for the user ("owner must be printable ASCII."). */
function describeFault({ path, message }: { readonly path: string; readonly message: string }): string {
  return `${path === '' ? 'The body' : path.slice(1)} ${message}.`;
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'status' in body;
}

function describeProxyResponse(status: number): string {
  return `A proxy between this page and the gateway responded with status ${status}.`;
}
