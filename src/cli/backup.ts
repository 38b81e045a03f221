import { resolve } from 'node:path';
import { Command } from 'commander';
import { FILE_DESCRIPTIONS, findSqliteInstallation } from './installation.ts';
import type { Io } from './io.ts';
import { Progress } from './output.ts';
import { formatFields } from './table.ts';

const WITH_POSTGRES =
  'records and history are in PostgreSQL, so nothing was copied: back them up with\n' +
  '  pg_dump --format custom --file tollgate.dump "$TOLLGATE_DATABASE"\n' +
  '  Counters and bans are in Redis. docs/operators/backup.md explains both.';

export function createBackupCommand(io: Io): Command {
  return new Command('backup')
    .description('Copy the databases and the admin token into a new folder, while the gateway runs')
    .argument('<folder>', 'A new or empty folder')
    .addHelpText(
      'after',
      '\nReads the databases of TOLLGATE_DATA_DIR. With PostgreSQL, use pg_dump.\n\nExample:\n' +
        '  tollgate backup /var/backups/tollgate/2026-11-24',
    )
    .action((folder: string) => backup(io, folder));
}

async function backup(io: Io, name: string): Promise<void> {
  const installation = await findSqliteInstallation(io, WITH_POSTGRES);
  const { backUp, toMegabytes: megabytes } = await import('../storage/sqlite-backup.ts');
  const folder = resolve(io.cwd, name);
  const progress = new Progress(io, 'MB');
  const show = (done: number, total: number) => progress.show(megabytes(done), megabytes(total));
  const files = await backUp(installation, folder, show).finally(() => progress.end());
  io.out(formatFields(files.map((file) => [file, FILE_DESCRIPTIONS[file] ?? ''])));
  if (!installation.hasCounters) io.out('Counters and bans are in Redis: they are not part of the backup.\n');
  io.out(`Backed up to ${folder}. Databases of services, such as the pet store, are not part of it.\n`);
}
