/** The field's word, and what it means. */
export const STRIKES = 'Strikes (requests made before the time in Retry-After had passed, which lead to a ban)';
