/** A reason why this checkout cannot be released. */
export class ReleaseFault extends Error {
  /** A remedy, for whoever makes the release. */
  readonly remedy: string;

  /** @param message says what is wrong, and where */
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
