import { Command, CommanderError, type Option } from 'commander';
import { StartError, StoreUnavailable } from '../base/error-types.ts';
import { VERSION } from '../base/version.ts';
import { replaceKeys } from '../http/redact-keys.ts';
import { createAccountsCommand } from './accounts.ts';
import { ApiError } from './admin-api.ts';
import { createAuditCommand } from './audit.ts';
import { createBackupCommand } from './backup.ts';
import { createBansCommand } from './bans.ts';
import { Failure } from './failure.ts';
import { createConfigCommand } from './config.ts';
import { createConsoleCommand } from './console.ts';
import { createDatabaseCommand } from './database.ts';
import { createDocumentsCommand } from './documents.ts';
import { createEventsCommand } from './events.ts';
import { createExplainCommand } from './explain.ts';
import { createInitCommand } from './init.ts';
import type { Io } from './io.ts';
import { createKeysCommand } from './keys.ts';
import { createOperationsCommand } from './operations.ts';
import { createOwnersCommand } from './owners.ts';
import { createPetstoreCommand } from './petstore.ts';
import { createAccountRequestsCommand } from './account-requests.ts';
import { createPlanRequestsCommand } from './plan-requests.ts';
import { createPlansCommand } from './plans.ts';
import { createRefusalsCommand } from './refusals.ts';
import { createRestoreCommand } from './restore.ts';
import { createStartCommand } from './start.ts';
import { createSystemCommand } from './system.ts';
import { createTokensCommand } from './tokens.ts';
import { createUsageCommand } from './usage.ts';
import { createWebhooksCommand } from './webhooks.ts';

const HELP_TEXT = `
All commands except init, start, config check, database, backup, restore and petstore call the admin API of a running gateway.

Environment variables:
  TOLLGATE_ADMIN_URL         URL of the admin API (default: http://127.0.0.1:8081)
  TOLLGATE_ADMIN_TOKEN       Admin token
  TOLLGATE_ADMIN_TOKEN_FILE  File with the admin token (default: admin-token in TOLLGATE_DATA_DIR)
  TOLLGATE_DATA_DIR          Data directory of the gateway (default: data)

Exit codes:
  0  Success
  1  The command failed
  2  The command line is invalid

Example:
  tollgate keys create --owner acme --name "Shop backend" --plan pro

If something is wrong:
  tollgate system                   What is unavailable, since when and why
  tollgate explain REQUEST_ID       Why a request was refused
  tollgate bans list                Who is banned, and why
  tollgate usage history            Requests, refusals and errors of the last 24 hours`;

/** Builds the tree of all commands. */
export function createProgram(io: Io): Command {
  const commands = [
    createInitCommand(io),
    createStartCommand(),
    createConsoleCommand(io),
    createConfigCommand(io),
    createDatabaseCommand(io),
    createBackupCommand(io),
    createRestoreCommand(io),
    createKeysCommand(io),
    createOwnersCommand(io),
    createPlansCommand(io),
    createAccountsCommand(io),
    createPlanRequestsCommand(io),
    createAccountRequestsCommand(io),
    createUsageCommand(io),
    createOperationsCommand(io),
    createDocumentsCommand(io),
    createExplainCommand(io),
    createRefusalsCommand(io),
    createBansCommand(io),
    createWebhooksCommand(io),
    createAuditCommand(io),
    createEventsCommand(io),
    createTokensCommand(io),
    createSystemCommand(io),
    createPetstoreCommand(),
  ];
  const program = new Command('tollgate')
    .version(VERSION, '--version', 'Show the version')
    .description('API gateway with keys, plans, exact quotas, bans and deprecation headers')
    .addHelpText('after', HELP_TEXT);
  for (const each of commands) program.addCommand(each);
  return withOutput(program, io);
}

function withOutput(command: Command, io: Io): Command {
  command
    .exitOverride()
    .helpOption('-h, --help', 'Show this help')
    .showHelpAfterError('Run the command with --help for usage.')
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      // Remove keys from the message. Commander quotes unknown arguments, which may be secrets that were typed in the
      // wrong place.
      outputError: (text, write) => write(replaceKeys(text).replace(/^error: /, 'tollgate: ')),
    });
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show help for a command');
  for (const each of command.commands) withOutput(each, io);
  return command;
}

/**
 * Runs one command.
 *
 * @param args the arguments after the program name
 * @returns the exit code
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let options: readonly Option[] = [];
  try {
    const program = createProgram(io).hook('preAction', (_, action) => void ({ options } = action));
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error, or the help, for which its exit code is 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isExpected = error instanceof Failure || error instanceof StartError || error instanceof StoreUnavailable;
    if (!isExpected) throw error;
    const isApiError = error instanceof ApiError;
    const message = isApiError ? error.messageFor(new Set(options.map(({ long }) => long ?? ''))) : error.message;
    io.err(`tollgate: ${message}\n`);
    return error instanceof Failure ? error.exitCode : 1;
  }
}
