import { Command, CommanderError } from 'commander';
import { withoutKeys } from '../http/redact-keys.ts';
import { StartError, StoreUnavailable } from '../base/error-types.ts';
import { VERSION } from '../base/version.ts';
import { accountsCreate } from './commands/accounts/create.ts';
import { accountsDelete } from './commands/accounts/delete.ts';
import { accountsDisable } from './commands/accounts/disable.ts';
import { accountsEnable } from './commands/accounts/enable.ts';
import { accountsLink } from './commands/accounts/link.ts';
import { accountsList } from './commands/accounts/list.ts';
import { accountsShow } from './commands/accounts/show.ts';
import { accountsUpdate } from './commands/accounts/update.ts';
import { auditList } from './commands/audit/list.ts';
import { bansAdd } from './commands/bans/add.ts';
import { bansLift } from './commands/bans/lift.ts';
import { bansList } from './commands/bans/list.ts';
import { consoleCommand } from './commands/console.ts';
import { configCheck } from './commands/config/check.ts';
import { configReload } from './commands/config/reload.ts';
import { databaseMigrate } from './commands/database/migrate.ts';
import { databaseMove } from './commands/database/move.ts';
import { eventsDeliveries } from './commands/events/deliveries.ts';
import { eventsList } from './commands/events/list.ts';
import { eventsListen } from './commands/events/listen.ts';
import { explainCommand } from './commands/explain.ts';
import { keysCreate } from './commands/keys/create.ts';
import { keysDisable } from './commands/keys/disable.ts';
import { keysEnable } from './commands/keys/enable.ts';
import { keysImport } from './commands/keys/import.ts';
import { keysList } from './commands/keys/list.ts';
import { keysRevoke } from './commands/keys/revoke.ts';
import { keysRotate } from './commands/keys/rotate.ts';
import { keysShow } from './commands/keys/show.ts';
import { keysUpdate } from './commands/keys/update.ts';
import { operationsCallers } from './commands/operations/callers.ts';
import { operationsList } from './commands/operations/list.ts';
import { petstoreCommand } from './commands/petstore.ts';
import { ownersList } from './commands/owners/list.ts';
import { planRequestsApprove } from './commands/plan-requests/approve.ts';
import { planRequestsDecline } from './commands/plan-requests/decline.ts';
import { planRequestsList } from './commands/plan-requests/list.ts';
import { plansApply } from './commands/plans/apply.ts';
import { plansList } from './commands/plans/list.ts';
import { startCommand } from './commands/start.ts';
import { systemConfiguration } from './commands/system/configuration.ts';
import { systemGateways } from './commands/system/gateways.ts';
import { systemShow } from './commands/system/show.ts';
import { usageDelete } from './commands/usage/delete.ts';
import { usageHistory } from './commands/usage/history.ts';
import { usageReset } from './commands/usage/reset.ts';
import { usageShow } from './commands/usage/show.ts';
import { webhookVerbs } from './commands/webhooks/index.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

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
    noun('config', 'the configuration', configCheck(io), configReload(io)),
    noun('database', 'where keys, plans and the audit log are kept', databaseMigrate(io), databaseMove(io)),
    noun(
      'keys',
      'the API keys of consumers',
      keysCreate(io),
      keysList(io),
      keysShow(io),
      keysUpdate(io),
      keysRotate(io),
      keysRevoke(io),
      keysDisable(io),
      keysEnable(io),
      keysImport(io),
    ),
    noun('owners', 'whose keys there are', ownersList(io)),
    noun('plans', 'what keys are issued under', plansList(io), plansApply(io)),
    noun(
      'accounts',
      'who may sign in to the portal',
      accountsCreate(io),
      accountsList(io),
      accountsShow(io),
      accountsUpdate(io),
      accountsDisable(io),
      accountsEnable(io),
      accountsLink(io),
      accountsDelete(io),
    ),
    noun(
      'plan-requests',
      'what accounts ask for',
      planRequestsList(io),
      planRequestsApprove(io),
      planRequestsDecline(io),
    ),
    noun(
      'usage',
      'what keys have used: "usage ID" shows it',
      usageReset(io),
      usageHistory(io),
      usageDelete(io),
    ).addCommand(usageShow(io), { isDefault: true }),
    noun('operations', 'what the gateway serves, and who calls it', operationsList(io), operationsCallers(io)),
    explainCommand(io),
    noun('bans', 'keys that may not call for a while', bansList(io), bansAdd(io), bansLift(io)),
    noun('webhooks', 'who is told of events', ...webhookVerbs(io)),
    noun('audit', 'who changed what, when and why', auditList(io)),
    noun('events', 'what happened, and what happens', eventsList(io), eventsListen(io), eventsDeliveries(io)),
    noun(
      'system',
      'the gateways, what they need, and their configuration: "system" shows how the gateway is',
      systemGateways(io),
      systemConfiguration(io),
    ).addCommand(systemShow(io), { isDefault: true }),
    petstoreCommand(),
  ];
  const program = new Command('tollgate')
    .version(VERSION, '--version', 'show the version')
    .description('An API gateway: keys, plans, exact quotas, bans, and deprecation headers.')
    .addHelpText('after', ABOUT);
  for (const each of nouns) program.addCommand(each);
  return withOutput(program, io);
}

function noun(name: string, what: string, ...verbs: readonly Command[]): Command {
  const command = new Command(name).description(what);
  for (const one of verbs) command.addCommand(one);
  return command;
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
