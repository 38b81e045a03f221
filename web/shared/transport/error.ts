/** The body of every error of our APIs. */
interface ErrorBody {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** A response with an error, or no response at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The faults. Their paths have a leading `/` for each step into the body. */
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

/** The error in a response. For a proxy, which does not use our format, it consists of the status. */
export function parseError(status: number, body: unknown): ApiError {
  return new ApiError(isErrorBody(body) ? body : { status, code: 'no_answer_of_ours', message: foreign(status) });
}

/** Turns "/owner must be printable ASCII" into a sentence for the user of the form. */
function describeFault({ path, message }: { readonly path: string; readonly message: string }): string {
  return `${path === '' ? 'The body' : path.slice(1)} ${message}.`;
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'status' in body;
}

function foreign(status: number): string {
  return `A proxy between this page and the gateway responded with status ${status}.`;
}
