export interface ErrorDetail {
  /** The location of the error, such as `/name` or `/query/limit`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Maximum number of details in an error response. A longer list would not help, and even an unauthenticated request
 * could cause thousands of errors.
 */
export const MAX_DETAILS = 20;
