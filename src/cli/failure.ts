/**
 * The command could not do what it was asked to. The message says what is wrong and what to do. In `admin/`: `NotReached`,
 * when no gateway answers, and `ApiError`, when it refuses.
 */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  readonly exitCode: number = 1;
}

/** The command line itself is wrong. */
export class UsageFailure extends Failure {
  override readonly name = 'UsageFailure';
  override readonly exitCode = 2;
}
