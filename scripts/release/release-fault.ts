/** A reason why this checkout cannot be released. */
export class ReleaseFault extends Error {
  /** What to do about it. */
  readonly remedy: string;

  /** @param message says what is wrong, and where */
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
