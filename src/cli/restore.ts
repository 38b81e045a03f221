import { resolve } from 'node:path';
import { Command } from 'commander';
import { FILE_DESCRIPTIONS, findSqliteInstallation } from './installation.ts';
import type { Io } from './io.ts';
import { Progress } from './output.ts';

const WITH_POSTGRES =
  'the configured database is PostgreSQL, so nothing was restored: restore a dump with pg_restore, as ' +
  'docs/operators/backup.md explains. To restore into SQLite, set TOLLGATE_DATABASE=sqlite:tollgate.db';

export function createRestoreCommand(io: Io): Command {
  return new Command('restore')
    .description('Restore a backup into an empty data directory; stop the gateway first')
    .argument('<folder>', 'A folder made by tollgate backup')
    .addHelpText(
      'after',
      '\nWrites to TOLLGATE_DATA_DIR. With PostgreSQL, use pg_restore.\n\nExample:\n' +
        '  TOLLGATE_DATA_DIR=/var/lib/tollgate tollgate restore /var/backups/tollgate/2026-11-24',
    )
    .action((folder: string) => restoreFolder(io, folder));
}

async function restoreFolder(io: Io, name: string): Promise<void> {
  const installation = await findSqliteInstallation(io, WITH_POSTGRES);
  const { restore, toMegabytes: megabytes } = await import('../storage/sqlite-backup.ts');
  const progress = new Progress(io, 'MB');
  const show = (done: number, total: number) => progress.show(megabytes(done), megabytes(total));
  const restored = await restore(resolve(io.cwd, name), installation, show).finally(() => progress.end());
  io.out(`Restored ${restored.join(', ')} to ${installation.dataDir}.\n`);
  const missing = Object.keys(FILE_DESCRIPTIONS).filter((file) => !restored.includes(file));
  for (const file of missing) io.out(`The backup does not have ${file}: ${FILE_DESCRIPTIONS[file]}.\n`);
  io.out(
    'Next: start the gateway, and make any later changes again. Keys that were revoked after the backup are valid again.\n',
  );
}
