import { Command } from 'commander';
import { createCommandGroup } from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { Progress } from './output.ts';

export function createDatabaseCommand(io: Io): Command {
  return createCommandGroup(
    'database',
    'Migrate and move the database',
    createDatabaseMigrateCommand(io),
    createDatabaseMoveCommand(io),
  );
}

const SETTINGS =
  'The database is the one in TOLLGATE_DATABASE, or in the configuration file; no other setting is needed.';

function createDatabaseMigrateCommand(io: Io): Command {
  return new Command('migrate')
    .description('Update the database schema, as a gateway does when it starts')
    .addHelpText('after', `\n${SETTINGS}\n\nExample:\n  tollgate database migrate`)
    .action(() => migrateDatabase(io));
}

async function migrateDatabase(io: Io): Promise<void> {
  const { loadDatabaseLocation } = await import('../config/load.ts');
  const { migrateAt } = await import('../storage/open.ts');
  const { database, dataDir } = loadDatabaseLocation(io.env, io.cwd);
  const { applied, newer } = await migrateAt(database, dataDir);
  for (const step of applied) io.out(`${step}\n`);
  io.out(
    applied.length === 0 ? 'The database schema is already up to date.\n' : 'The database schema is now up to date.\n',
  );
  if (newer.length > 0) {
    io.out(`It has additions of a newer version, which this version does not use: ${newer.join(', ')}.\n`);
  }
}

interface MoveOptions {
  readonly from: string;
  readonly to: string;
}

function createDatabaseMoveCommand(io: Io): Command {
  return new Command('move')
    .description('Copy all records and the history from SQLite to an empty PostgreSQL database, in full or not at all')
    .requiredOption('--from <location>', 'sqlite:FILE, in TOLLGATE_DATA_DIR; stop its gateway first')
    .requiredOption('--to <location>', 'postgres://USER@HOST/DATABASE; set PGPASSWORD for the password')
    .addHelpText(
      'after',
      '\nCounters and bans are not moved: all quotas start from zero.\n\nExample:\n' +
        '  tollgate database move --from sqlite:tollgate.db --to postgres://tollgate@db/tollgate',
    )
    .action((options: MoveOptions) => move(io, options));
}

async function move(io: Io, options: MoveOptions): Promise<void> {
  const { parseDatabase } = await import('../storage/database.ts');
  const { moveInstallation: moveAll } = await import('../control-plane/history/move-installation.ts');
  const { resolve } = await import('node:path');
  const dataDir = resolve(io.cwd, io.env['TOLLGATE_DATA_DIR'] || 'data');
  const locate = (text: string) => parseDatabase(text, dataDir);
  const [from, to] = [locate(options.from), locate(options.to)];
  if (from?.kind !== 'sqlite') throw new UsageFailure('--from must be sqlite:FILE');
  if (to?.kind !== 'postgres') throw new UsageFailure('--to must be postgres://USER@HOST:PORT/DATABASE');
  const progress = new Progress(io, 'rows');
  const onProgress = (moved: number, total: number) => progress.show(moved, total);
  const counts = await moveAll({ file: from.file, dataDir, url: to.url, onProgress }).finally(() => progress.end());
  const what = Object.entries(counts).map(([table, count]) => `${count} ${table}`);
  io.out(
    `Moved ${what.join(', ')}. The SQLite files are unchanged.\nTo use the new database, set TOLLGATE_DATABASE and start the gateways.\n`,
  );
}
