/**
 * A problem outside the program prevents the start. The message is one line that says what is wrong, where, and what to
 * do.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * A store or database did not respond in time. If it is a store of counters, the request was not charged, and will not
 * be.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** A report was ended, because it took longer than a report may take. */
export class ReportTimeout extends StoreUnavailable {
  override readonly name = 'ReportTimeout';

  constructor() {
    super('the report took too long: request a shorter period or fewer keys');
  }
}
