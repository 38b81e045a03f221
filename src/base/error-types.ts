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
  override readonly name = 'StoreUnavailable';
}
