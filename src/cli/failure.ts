/**
 * A command failed. The message says what is wrong and what to do. Subclasses are `NotReached` if no gateway responds,
 * and `ApiError` if the gateway returns an error.
 */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  /** Exit code of the process. */
  readonly exitCode: number = 1;
}

/** The command line is invalid. */
export class UsageFailure extends Failure {
  override readonly name = 'UsageFailure';
  override readonly exitCode = 2;
}
