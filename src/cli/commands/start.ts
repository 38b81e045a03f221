import { Command } from 'commander';
import { loadStart } from '../../load-start.ts';

export function startCommand(): Command {
  return new Command('start')
    .description('start the gateway; settings come from the configuration file and the environment')
    .addHelpText('after', '\nExample:\n  TOLLGATE_PORT=9000 tollgate start')
    .action(startGateway);
}

async function startGateway(): Promise<void> {
  // Loaded here, so that commands that only call a gateway need not load all of it.
  const { start } = await loadStart();
  await start();
}
