import { Command } from 'commander';
import { UsageFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { Progress } from '../../output/progress.ts';

interface Options {
  readonly from: string;
  readonly to: string;
}

export function databaseMove(io: Io): Command {
  return new Command('move')
    .description('copy all records and the history from SQLite into an empty PostgreSQL: all of it, or nothing')
    .requiredOption('--from <location>', 'sqlite:FILE, in TOLLGATE_DATA_DIR; no gateway may be using it')
    .requiredOption('--to <location>', 'postgres://USER@HOST/DATABASE; a password is better given as PGPASSWORD')
    .addHelpText(
      'after',
      '\nCounters and bans are not moved: with Redis, all quotas start afresh.\n\nExample:\n' +
        '  tollgate database move --from sqlite:tollgate.db --to postgres://tollgate@db/tollgate',
    )
    .action((options: Options) => move(io, options));
}

async function move(io: Io, options: Options): Promise<void> {
  const { parseDatabase } = await import('../../../storage/database.ts');
  const { moveAll } = await import('../../../control-plane/history/move.ts');
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
  io.out(`Moved ${what.join(', ')}. The files are left as they were; set TOLLGATE_DATABASE and start the gateways.\n`);
}
