export interface ErrorDetail {
  /** The location, such as `/name` or `/query/limit`. */
  readonly path: string;
  readonly message: string;
}

/** More would not help, and a request may have thousands of errors before its sender is known. */
export const MAX_DETAILS = 20;
