/** Explains the term "strikes" where the console mentions them. */
export const STRIKES = 'Strikes (requests made without waiting for Retry-After, which lead to a ban)';
