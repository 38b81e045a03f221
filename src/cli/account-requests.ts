import { type Command, Option } from 'commander';
import type { AccountApprovalAnswer, AccountRequestAnswer } from './admin-api-types.ts';
import { connect, pathTo } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun, REASON, type ReasonOption, toCount } from './command.ts';
import type { Io } from './io.ts';
import { day, printJson, printLink } from './output.ts';
import { table } from './table.ts';

export function accountRequestsCommand(io: Io): Command {
  return noun(
    'account-requests',
    'Manage requests for an account',
    accountRequestsList(io),
    accountRequestsApprove(io),
    accountRequestsDecline(io),
  );
}

interface ListRequestsOptions extends AdminCommandOptions, ListOptions {
  readonly status?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'NAME' },
  { title: 'EMAIL' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'CREATED', whole: true },
  { title: 'PURPOSE' },
];

function accountRequestsList(io: Io): Command {
  const status = new Option('--status <status>', 'Filter by status').choices(['open', 'approved', 'declined']);
  const command = adminCommand(
    'list',
    'List requests for an account, newest first',
    'account-requests list --status open',
  ).addOption(status);
  return withListOptions(command).action((options: ListRequestsOptions) => listRequests(io, options));
}

async function listRequests(io: Io, options: ListRequestsOptions): Promise<void> {
  const { status } = options;
  const requests = await list<AccountRequestAnswer>(connect(io), '/account-requests', { status }, options);
  if (options.json === true) return printJson(io, requests);
  const rows = requests.items.map(({ id, name, email, plan, status: is, createdAt, purpose }) => [
    id,
    name,
    email,
    plan,
    is,
    day(createdAt),
    purpose,
  ]);
  io.out(rows.length === 0 ? 'No account requests found.\n' : table(COLUMNS, rows, io.columns));
  printMore(io, requests);
}

interface ApproveOptions extends AdminCommandOptions, ReasonOption {
  readonly owner?: string;
  readonly plan?: string;
  readonly seconds?: number;
}

function accountRequestsApprove(io: Io): Command {
  return adminCommand(
    'approve',
    'Approve a request: create the account and a single-use sign-in link to send',
    'account-requests approve acr_4C578RQ63JdXHZx3Zzi8 --owner acme',
  )
    .argument('<id>', 'Account request id')
    .option('--owner <owner>', "Owner of the account's keys (default: the id of the account)")
    .option('--plan <plan>', 'Plan of the account (default: that of the request)')
    .option('--seconds <count>', 'Lifetime of the link in seconds, at most 604800 (default: 604800, 7 days)', toCount)
    .option(...REASON)
    .action((id: string, options: ApproveOptions) => approve(io, id, options));
}

async function approve(io: Io, id: string, { json, owner, plan, seconds, reason }: ApproveOptions): Promise<void> {
  const sent = { json: { owner, plan, seconds }, reason };
  const { body } = await connect(io).call<AccountApprovalAnswer>(
    'POST',
    pathTo('account-requests', id, 'approve'),
    sent,
  );
  if (json === true) return printJson(io, body);
  const { account, request } = body;
  io.out(
    `Created account ${account.id} for ${account.owner} (plan ${account.plan}). Send the link to ${request.email}:\n`,
  );
  printLink(io, body);
}

function accountRequestsDecline(io: Io): Command {
  return adminCommand(
    'decline',
    'Decline a request for an account; the person is not notified',
    'account-requests decline acr_4C578RQ63JdXHZx3Zzi8 --reason "no answer to our question"',
  )
    .argument('<id>', 'Account request id')
    .option(...REASON)
    .action((id: string, options: AdminCommandOptions & ReasonOption) => decline(io, id, options));
}

async function decline(io: Io, id: string, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  const path = pathTo('account-requests', id, 'decline');
  const { body } = await connect(io).call<AccountRequestAnswer>('POST', path, { json: {}, reason });
  if (json === true) printJson(io, body);
  else io.out(`Declined the request of ${body.name}.\n`);
}
