import { openSqliteDatabase } from '../../src/storage/sqlite.ts';

/** Opens the database given as first argument, prints `held`, and keeps it open until standard input ends. */
const database = await openSqliteDatabase(process.argv[2] ?? '');
process.stdout.write('held\n');
process.stdin.on('end', () => void database.close()).resume();
