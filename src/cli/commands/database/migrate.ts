import { Command } from 'commander';
import type { Io } from '../../io.ts';

const SAME_SETTINGS = 'It needs the configuration file and the variables that the gateway is started with.';

export function databaseMigrate(io: Io): Command {
  return new Command('migrate')
    .description('bring the tables of the database up to date, as a gateway does when it starts')
    .addHelpText('after', `\n${SAME_SETTINGS}\n\nExample:\n  tollgate database migrate`)
    .action(() => migrateDatabase(io));
}

async function migrateDatabase(io: Io): Promise<void> {
  const { loadConfig } = await import('../../../config/load.ts');
  const { migrateAt } = await import('../../../storage/open.ts');
  const { database, dataDir } = loadConfig(io.env, io.cwd);
  const steps = await migrateAt(database, dataDir);
  for (const step of steps) io.out(`${step}\n`);
  io.out(steps.length === 0 ? 'The database is up to date.\n' : 'The database is up to date now.\n');
}
