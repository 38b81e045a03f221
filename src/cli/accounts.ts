import { type Command, Option } from 'commander';
import type { AccountStatus } from '../control-plane/accounts/account.ts';
import type { AccountAnswer, LinkAnswer } from './admin-answers.ts';
import { connect, pathTo } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import {
  adminCommand,
  type AdminCommandOptions,
  noun,
  REASON,
  type ReasonOption,
  toCount,
  toReason,
  UsageFailure,
} from './command.ts';
import type { Io } from './io.ts';
import { day, printJson, tellLink, time } from './output.ts';
import { fields, table } from './table.ts';

export function accountsCommand(io: Io): Command {
  return noun(
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
  );
}

interface CreateOptions extends AdminCommandOptions, ReasonOption {
  readonly owner: string;
  readonly name: string;
  readonly plan: string;
  readonly email?: string;
}

function accountsCreate(io: Io): Command {
  return adminCommand(
    'create',
    'create an account, whose consumer may sign in to the portal',
    'accounts create --owner acme --name "Acme Ltd" --plan free --email ann@acme.example',
  )
    .requiredOption('--owner <who>', 'whose keys they are; an owner that has keys already sees them')
    .requiredOption('--name <name>', 'who it is')
    .requiredOption('--plan <id>', 'the plan of the keys made for it')
    .option('--email <address>', 'whoever signs in by OpenID Connect with this address gets this account')
    .option(...REASON)
    .action((options: CreateOptions) => create(io, options));
}

async function create(io: Io, { json, reason, ...given }: CreateOptions): Promise<void> {
  const { body } = await connect(io).call<AccountAnswer>('POST', '/accounts', { json: given, reason });
  if (json === true) return printJson(io, body);
  io.out(`Account ${body.id} of ${body.owner} is made, on the plan ${body.plan}.\n`);
  io.out(`"tollgate accounts link ${body.id}" makes a link to sign in with.\n`);
}

interface ListAccountsOptions extends AdminCommandOptions, ListOptions {
  readonly plan?: string;
  readonly status?: string;
  readonly search?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'NAME' },
  { title: 'EMAIL' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'SIGNED IN', whole: true },
];

function accountsList(io: Io): Command {
  const command = adminCommand('list', 'list accounts, newest first', 'accounts list --search acme')
    .option('--plan <id>', 'only those on this plan')
    .option('--search <text>', 'only those with this part of their id, owner, name or address, in any case')
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'disabled']));
  return withListOptions(command).action((options: ListAccountsOptions) => listAccounts(io, options));
}

async function listAccounts(io: Io, options: ListAccountsOptions): Promise<void> {
  const { plan, status, search: q } = options;
  const accounts = await list<AccountAnswer>(connect(io), '/accounts', { plan, status, q }, options);
  if (options.json === true) return printJson(io, accounts);
  const rows = accounts.items.map(({ id, owner, name, email, plan: of, status: is, lastSignInAt }) => [
    id,
    owner,
    name,
    email ?? '',
    of,
    is,
    day(lastSignInAt),
  ]);
  io.out(rows.length === 0 ? 'No accounts.\n' : table(COLUMNS, rows, io.columns));
  printMore(io, accounts);
}

function accountsShow(io: Io): Command {
  return adminCommand('show', 'show an account', 'accounts show acc_4C578RQ63JdXHZx3Zzi8')
    .argument('<id>', 'the id of the account')
    .action((id: string, options: AdminCommandOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<AccountAnswer>('GET', pathTo('accounts', id));
  if (json === true) printJson(io, body);
  else io.out(accountFields(body));
}

interface UpdateOptions extends AdminCommandOptions, ReasonOption {
  readonly name?: string;
  readonly plan?: string;
  readonly email?: string;
}

function accountsUpdate(io: Io): Command {
  return adminCommand(
    'update',
    'change an account; what is not named stays as it is',
    'accounts update acc_4C578RQ63JdXHZx3Zzi8 --plan pro --reason "as agreed"',
  )
    .argument('<id>', 'the id of the account')
    .option('--name <name>', 'who it is')
    .option('--plan <id>', 'the plan of the keys made for it, those that it has too')
    .option('--email <address>', 'who signs in by OpenID Connect, or "none"')
    .option(...REASON)
    .action((id: string, options: UpdateOptions) => update(io, id, options));
}

async function update(io: Io, id: string, { json, reason, email, ...given }: UpdateOptions): Promise<void> {
  const patch = { ...given, ...(email === undefined ? {} : { email: email === 'none' ? null : email }) };
  if (Object.keys(patch).length === 0) throw new UsageFailure('say what to change: --help lists what can be');
  const { body } = await connect(io).call<AccountAnswer>('PATCH', pathTo('accounts', id), { json: patch, reason });
  if (json === true) printJson(io, body);
  else io.out(accountFields(body));
}

function accountsDisable(io: Io): Command {
  return statusVerb(io, {
    name: 'disable',
    what: 'end the sessions and links of an account, and let nobody sign in; its keys go on',
    status: 'disabled',
    done: 'is disabled, and its sessions have ended: "tollgate accounts enable" takes that back',
  });
}

function accountsEnable(io: Io): Command {
  return statusVerb(io, {
    name: 'enable',
    what: 'let the consumer of a disabled account sign in again',
    status: 'active',
    done: 'is active',
  });
}

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: AccountStatus;
  /** The account's new state, for the message. */
  readonly done: string;
}

/** A verb that sets the status of one account. */
function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
  return adminCommand(name, what, `accounts ${name} acc_4C578RQ63JdXHZx3Zzi8`)
    .argument('<id>', 'the id of the account')
    .option(...REASON)
    .action(async (id: string, { json, reason }: AdminCommandOptions & ReasonOption) => {
      const sent = { json: { status }, reason };
      const { body } = await connect(io).call<AccountAnswer>('PATCH', pathTo('accounts', id), sent);
      if (json === true) printJson(io, body);
      else io.out(`Account ${body.id} of ${body.owner} ${done}.\n`);
    });
}

interface LinkOptions extends AdminCommandOptions, ReasonOption {
  readonly seconds?: number;
}

function accountsLink(io: Io): Command {
  return adminCommand(
    'link',
    'make a link that signs in to the portal, once: for an invitation, say',
    'accounts link acc_4C578RQ63JdXHZx3Zzi8 --seconds 604800',
  )
    .argument('<id>', 'the id of the account')
    .option('--seconds <count>', 'how long it may be used: 15 minutes (900), or up to 7 days (604800)', toCount)
    .option(...REASON)
    .action((id: string, options: LinkOptions) => makeLink(io, id, options));
}

async function makeLink(io: Io, id: string, { json, reason, seconds }: LinkOptions): Promise<void> {
  const sent = { json: { seconds }, reason };
  const { body } = await connect(io).call<LinkAnswer>('POST', pathTo('accounts', id, 'sign-in-link'), sent);
  if (json === true) printJson(io, body);
  else tellLink(io, body);
}

interface DeleteOptions extends AdminCommandOptions {
  readonly reason: string;
}

function accountsDelete(io: Io): Command {
  return adminCommand(
    'delete',
    'delete an account for good, and revoke the keys made for it; keys that operators gave its owner stay',
    'accounts delete acc_4C578RQ63JdXHZx3Zzi8 --reason "the contract ended"',
  )
    .argument('<id>', 'the id of the account')
    .requiredOption('--reason <why>', 'why, for the audit log', toReason)
    .action((id: string, options: DeleteOptions) => remove(io, id, options));
}

async function remove(io: Io, id: string, { json, reason }: DeleteOptions): Promise<void> {
  await connect(io).call('DELETE', pathTo('accounts', id), { reason });
  if (json === true) printJson(io, { id, deleted: true });
  else io.out(`Account ${id} is deleted, and the keys made for it are revoked.\n`);
}

function accountFields(account: AccountAnswer): string {
  return fields([
    ['id', account.id],
    ['owner', account.owner],
    ['name', account.name],
    ['email', account.email ?? 'none'],
    ['status', account.status],
    ['plan', account.plan],
    ['created', `${time(account.createdAt)} UTC`],
    ['signed in', account.lastSignInAt === null ? 'never' : `${time(account.lastSignInAt)} UTC`],
  ]);
}
