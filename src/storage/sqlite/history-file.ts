/** Where SQLite keeps the history, in the data directory. */
export const HISTORY_FILE = 'history.db';
