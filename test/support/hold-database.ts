import { openSqliteDatabase } from '../../src/storage/sqlite.ts';

/**
 * Opens the database that the first argument names, prints `held`, and keeps the database open until standard input
 * ends.
 */
const database = await openSqliteDatabase(process.argv[2] ?? '');
process.stdout.write('held\n');
process.stdin.on('end', () => void database.close()).resume();
