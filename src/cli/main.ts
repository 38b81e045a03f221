import { Command } from 'commander';
import { configCommand } from './commands/config.ts';
import { petstoreCommand } from './commands/petstore.ts';
import { startCommand } from './commands/start.ts';

const program = new Command('tollgate')
  .description('An API gateway: keys, plans, exact quotas, bans, and deprecation headers.')
  .addCommand(startCommand)
  .addCommand(configCommand)
  .addCommand(petstoreCommand)
  .showHelpAfterError('(--help tells more)');

await program.parseAsync();
