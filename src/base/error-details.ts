export interface ErrorDetail {
  /** The location, such as `/name` or `/query/limit`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Maximum number of details in an error. A longer list would not help, and even a request whose sender is not known yet
 * can have thousands of errors.
 */
export const MAX_DETAILS = 20;
