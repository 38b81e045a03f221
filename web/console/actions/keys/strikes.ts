/** The field's word, and what it means. */
export const STRIKES = 'Strikes (requests made without waiting for Retry-After, which lead to a ban)';
