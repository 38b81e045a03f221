import { type Command, Option } from 'commander';
import type { AccountStatus } from '../control-plane/accounts/account.ts';
import type { AccountResponse, LinkResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, createSortOption, withListOptions } from './admin-list.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  REASON_OPTION,
  type ReasonOption,
  toCount,
  toReason,
} from './command.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { formatDay, printJson, printLink, formatTime } from './output.ts';
import { formatFields, formatTable } from './table.ts';

export function createAccountsCommand(io: Io): Command {
  return createCommandGroup(
    'accounts',
    'Manage portal accounts',
    createAccountsCreateCommand(io),
    createAccountsListCommand(io),
    createAccountsShowCommand(io),
    createAccountsUpdateCommand(io),
    createAccountsDisableCommand(io),
    createAccountsEnableCommand(io),
    createAccountsLinkCommand(io),
    createAccountsDeleteCommand(io),
  );
}

interface CreateOptions extends AdminCommandOptions, ReasonOption {
  readonly owner: string;
  readonly name: string;
  readonly plan: string;
  readonly email?: string;
}

function createAccountsCreateCommand(io: Io): Command {
  return createAdminCommand(
    'create',
    'Create an account that can sign in to the portal',
    'accounts create --owner acme --name "Acme Ltd" --plan free --email ann@acme.example',
  )
    .requiredOption('--owner <owner>', "Owner of the account's keys; existing keys of this owner become visible to it")
    .requiredOption('--name <name>', 'Display name')
    .requiredOption('--plan <id>', 'Plan for the keys of the account')
    .option('--email <address>', 'Email address for signing in with OpenID Connect')
    .option(...REASON_OPTION)
    .action((options: CreateOptions) => create(io, options));
}

async function create(io: Io, { json, reason, ...given }: CreateOptions): Promise<void> {
  const { body } = await connect(io).call<AccountResponse>('POST', '/accounts', { json: given, reason });
  if (json === true) return printJson(io, body);
  io.out(`Created account ${body.id} for ${body.owner} (plan ${body.plan}).\n`);
  io.out(`To invite its user, run "tollgate accounts link ${body.id}".\n`);
}

interface ListAccountsOptions extends AdminCommandOptions, ListOptions {
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: string;
  readonly search?: string;
  readonly sort?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'NAME' },
  { title: 'EMAIL' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'LAST SIGN-IN', whole: true },
];

function createAccountsListCommand(io: Io): Command {
  const command = createAdminCommand('list', 'List accounts, newest first', 'accounts list --search acme')
    .option('--owner <owner>', 'Filter by owner')
    .option('--plan <id>', 'Filter by plan')
    .option('--search <text>', 'Filter by part of the id, owner, name or email address')
    .addOption(new Option('--status <status>', 'Filter by status').choices(['active', 'disabled']))
    .addOption(createSortOption('createdAt', 'name', 'owner', 'email', 'plan', 'status', 'lastSignInAt'));
  return withListOptions(command).action((options: ListAccountsOptions) => listAccounts(io, options));
}

async function listAccounts(io: Io, options: ListAccountsOptions): Promise<void> {
  const { owner: ofOwner, plan, status, search: q, sort } = options;
  const query = { owner: ofOwner, plan, status, q, sort };
  const accounts = await readList<AccountResponse>(connect(io), '/accounts', query, options);
  if (options.json === true) return printJson(io, accounts);
  const rows = accounts.items.map(({ id, owner, name, email, plan: of, status: is, lastSignInAt }) => [
    id,
    owner,
    name,
    email ?? '',
    of,
    is,
    formatDay(lastSignInAt),
  ]);
  io.out(rows.length === 0 ? 'No accounts found.\n' : formatTable(COLUMNS, rows, io.columns));
  printMoreHint(io, accounts);
}

function createAccountsShowCommand(io: Io): Command {
  return createAdminCommand('show', 'Show an account', 'accounts show acc_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'Account id')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<AccountResponse>('GET', joinPath('accounts', id));
  if (json === true) printJson(io, body);
  else io.out(formatAccount(body));
}

interface UpdateOptions extends AdminCommandOptions, ReasonOption {
  readonly name?: string;
  readonly plan?: string;
  readonly email?: string;
}

function createAccountsUpdateCommand(io: Io): Command {
  return createAdminCommand(
    'update',
    'Update an account',
    'accounts update acc_4C578RQ63JdXHZx3Zzi8 --plan pro --reason "as agreed"',
  )
    .argument('<id>', 'Account id')
    .option('--name <name>', 'Display name')
    .option('--plan <id>', 'Plan for the keys of the account, existing and new')
    .option('--email <address>', 'Email address for signing in with OpenID Connect, or "none"')
    .option(...REASON_OPTION)
    .action((id: string, options: UpdateOptions) => update(io, id, options));
}

async function update(io: Io, id: string, { json, reason, email, ...given }: UpdateOptions): Promise<void> {
  const patch = { ...given, ...(email === undefined ? {} : { email: email === 'none' ? null : email }) };
  if (Object.keys(patch).length === 0)
    throw new UsageFailure('nothing to update: give at least one of --name, --plan and --email');
  const { body } = await connect(io).call<AccountResponse>('PATCH', joinPath('accounts', id), { json: patch, reason });
  if (json === true) printJson(io, body);
  else io.out(formatAccount(body));
}

function createAccountsDisableCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'disable',
    what: 'Disable sign-in for an account and end its sessions; its keys keep working',
    status: 'disabled',
    done: 'Disabled',
    next: (id) => `Its sessions have ended; its keys keep working. To undo, run "tollgate accounts enable ${id}".`,
  });
}

function createAccountsEnableCommand(io: Io): Command {
  return createStatusCommand(io, {
    name: 'enable',
    what: 'Allow a disabled account to sign in again',
    status: 'active',
    done: 'Enabled',
  });
}

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: AccountStatus;
  /** The verb in the past tense, which begins the message after the change. */
  readonly done: string;
  /** Returns a hint to print after the change. */
  readonly next?: (id: string) => string;
}

/** Creates a command that sets the status of an account. */
function createStatusCommand(io: Io, { name, what, status, done, next }: StatusVerb): Command {
  return createAdminCommand(name, what, `accounts ${name} acc_4C578RQ63JdXHZx3Zzi8`)
    .argument('<id>', 'Account id')
    .option(...REASON_OPTION)
    .action(async (id: string, { json, reason }: AdminCommandOptions & ReasonOption) => {
      const input = { json: { status }, reason };
      const { body } = await connect(io).call<AccountResponse>('PATCH', joinPath('accounts', id), input);
      if (json === true) printJson(io, body);
      else {
        io.out(`${done} account ${body.id} (${body.owner}).\n`);
        if (next !== undefined) io.out(`${next(body.id)}\n`);
      }
    });
}

interface LinkOptions extends AdminCommandOptions, ReasonOption {
  readonly seconds?: number;
}

function createAccountsLinkCommand(io: Io): Command {
  return createAdminCommand(
    'link',
    'Create a single-use sign-in link to the portal, for example as an invitation',
    'accounts link acc_4C578RQ63JdXHZx3Zzi8 --seconds 604800',
  )
    .argument('<id>', 'Account id')
    .option(
      '--seconds <count>',
      'Lifetime of the link in seconds, at most 604800 (7 days) (default: 900, 15 minutes)',
      toCount,
    )
    .option(...REASON_OPTION)
    .action((id: string, options: LinkOptions) => createLink(io, id, options));
}

async function createLink(io: Io, id: string, { json, reason, seconds }: LinkOptions): Promise<void> {
  const input = { json: { seconds }, reason };
  const { body } = await connect(io).call<LinkResponse>('POST', joinPath('accounts', id, 'sign-in-link'), input);
  if (json === true) printJson(io, body);
  else printLink(io, body);
}

interface DeleteOptions extends AdminCommandOptions {
  readonly reason: string;
}

function createAccountsDeleteCommand(io: Io): Command {
  return createAdminCommand(
    'delete',
    'Delete an account permanently and revoke its keys; keys that operators created for its owner stay',
    'accounts delete acc_4C578RQ63JdXHZx3Zzi8 --reason "the contract ended"',
  )
    .argument('<id>', 'Account id')
    .requiredOption('--reason <text>', 'Reason for the audit log', toReason)
    .action((id: string, options: DeleteOptions) => deleteAccount(io, id, options));
}

async function deleteAccount(io: Io, id: string, { json, reason }: DeleteOptions): Promise<void> {
  await connect(io).call('DELETE', joinPath('accounts', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Deleted account ${id} and revoked its keys.\n`);
}

function formatAccount(account: AccountResponse): string {
  return formatFields([
    ['id', account.id],
    ['owner', account.owner],
    ['name', account.name],
    ['email', account.email ?? 'none'],
    ['status', account.status],
    ['plan', account.plan],
    ['created', `${formatTime(account.createdAt)} UTC`],
    ['last sign-in', account.lastSignInAt === null ? 'never' : `${formatTime(account.lastSignInAt)} UTC`],
  ]);
}
