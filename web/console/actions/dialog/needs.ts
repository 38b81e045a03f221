/** Messages for missing input that several dialogs share. */
export const NEEDS_LIMITS = 'Enter limits per minute and per day.';
export const NEEDS_CONCURRENT = 'Enter a whole number of requests at once, at least 1, or none.';
export const NEEDS_OPERATIONS = 'Choose at least one operation.';
export const NOTHING_CHANGED = 'You have not changed anything.';
