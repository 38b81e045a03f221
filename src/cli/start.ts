import { Command } from 'commander';

export function startCommand(): Command {
  return new Command('start')
    .description('start the gateway; settings come from the configuration file and the environment')
    .addHelpText('after', '\nExample:\n  TOLLGATE_PORT=9000 tollgate start')
    .action(startGateway);
}

async function startGateway(): Promise<void> {
  // Commands that only call a gateway need not load all of it.
  const { start } = await import('../start.ts');
  await start();
}
