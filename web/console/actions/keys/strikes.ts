/** Explains the term. */
export const STRIKES = 'Strikes (requests made without waiting for Retry-After, which lead to a ban)';
