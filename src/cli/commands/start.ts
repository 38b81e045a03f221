import { Command } from 'commander';
import { main } from '../../main.ts';

export const startCommand = new Command('start')
  .description('start the gateway; settings come from the configuration file and the environment')
  .addHelpText('after', '\nExample:\n  TOLLGATE_PORT=9000 tollgate start')
  .action(main);
