import { Command, CommanderError } from 'commander';
import { StartError, StoreUnavailable } from '../base/error-types.ts';
import { VERSION } from '../base/version.ts';
import { withoutKeys } from '../http/redact-keys.ts';
import { accountsCommand } from './accounts.ts';
import { auditCommand } from './audit.ts';
import { bansCommand } from './bans.ts';
import { Failure } from './command.ts';
import { configCommand } from './config.ts';
import { consoleCommand } from './console.ts';
import { databaseCommand } from './database.ts';
import { eventsCommand } from './events.ts';
import { explainCommand } from './explain.ts';
import type { Io } from './io.ts';
import { keysCommand } from './keys.ts';
import { operationsCommand } from './operations.ts';
import { ownersCommand } from './owners.ts';
import { petstoreCommand } from './petstore.ts';
import { planRequestsCommand } from './plan-requests.ts';
import { plansCommand } from './plans.ts';
import { startCommand } from './start.ts';
import { systemCommand } from './system.ts';
import { usageCommand } from './usage.ts';
import { webhooksCommand } from './webhooks.ts';

const ABOUT = `
The commands for keys, owners, plans, accounts, plan-requests, usage, operations, bans, webhooks, audit, events, the
system and the console, explain, and config reload speak to the admin API of a gateway that runs:
  TOLLGATE_ADMIN_URL         where it is (http://127.0.0.1:8081)
  TOLLGATE_ADMIN_TOKEN       what opens it; else
  TOLLGATE_ADMIN_TOKEN_FILE  a file that holds it; else the file admin-token in TOLLGATE_DATA_DIR (data)

Exit codes: 0 done, 1 failed, 2 the command line is wrong.

Example:
  tollgate keys create --owner acme --name "Shop backend" --plan pro`;

/** Builds every command: the nouns, each with its verbs. */
export function createProgram(io: Io): Command {
  const nouns = [
    startCommand(),
    consoleCommand(io),
    configCommand(io),
    databaseCommand(io),
    keysCommand(io),
    ownersCommand(io),
    plansCommand(io),
    accountsCommand(io),
    planRequestsCommand(io),
    usageCommand(io),
    operationsCommand(io),
    explainCommand(io),
    bansCommand(io),
    webhooksCommand(io),
    auditCommand(io),
    eventsCommand(io),
    systemCommand(io),
    petstoreCommand(),
  ];
  const program = new Command('tollgate')
    .version(VERSION, '--version', 'show the version')
    .description('An API gateway: keys, plans, exact quotas, bans, and deprecation headers.')
    .addHelpText('after', ABOUT);
  for (const each of nouns) program.addCommand(each);
  return withOutput(program, io);
}

function withOutput(command: Command, io: Io): Command {
  command
    .exitOverride()
    .showHelpAfterError('(--help tells more)')
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      // Commander quotes what it does not know, which may be a secret in the wrong place.
      outputError: (text, write) => write(withoutKeys(text).replace(/^error: /, 'tollgate: ')),
    });
  for (const each of command.commands) withOutput(each, io);
  return command;
}

/**
 * Runs one command.
 *
 * @param args those after the name of the program
 * @returns the exit code
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already reported it. Its exit code for help that was asked for is 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isExpected = error instanceof Failure || error instanceof StartError || error instanceof StoreUnavailable;
    if (!isExpected) throw error;
    io.err(`tollgate: ${error.message}\n`);
    return error instanceof Failure ? error.exitCode : 1;
  }
}
