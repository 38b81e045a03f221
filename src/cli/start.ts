import { Command } from 'commander';
import { keepNewSpaceSmall } from '../process/garbage-collector.ts';

export function createStartCommand(): Command {
  return new Command('start')
    .description('Start the gateway with the settings of the configuration file and the environment')
    .addHelpText('after', '\nExample:\n  TOLLGATE_PORT=9000 tollgate start')
    .action(startGateway);
}

async function startGateway(): Promise<void> {
  keepNewSpaceSmall();
  // Load the gateway only here, because no other command needs it.
  const { start } = await import('../start.ts');
  await start();
}
