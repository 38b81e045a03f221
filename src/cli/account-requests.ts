import { type Command, Option } from 'commander';
import type { AccountApprovalResponse, AccountRequestResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, withListOptions } from './admin-list.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  REASON_OPTION,
  type ReasonOption,
  toCount,
} from './command.ts';
import type { Io } from './io.ts';
import { formatDay, printJson, printLink } from './output.ts';
import { formatTable } from './table.ts';

export function createAccountRequestsCommand(io: Io): Command {
  return createCommandGroup(
    'account-requests',
    'Manage requests for an account',
    createAccountRequestsListCommand(io),
    createAccountRequestsApproveCommand(io),
    createAccountRequestsDeclineCommand(io),
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

function createAccountRequestsListCommand(io: Io): Command {
  const statusOption = new Option('--status <status>', 'Filter by status').choices(['open', 'approved', 'declined']);
  const command = createAdminCommand(
    'list',
    'List requests for an account, newest first',
    'account-requests list --status open',
  ).addOption(statusOption);
  return withListOptions(command).action((options: ListRequestsOptions) => listRequests(io, options));
}

async function listRequests(io: Io, options: ListRequestsOptions): Promise<void> {
  const { status } = options;
  const requests = await readList<AccountRequestResponse>(connect(io), '/account-requests', { status }, options);
  if (options.json === true) return printJson(io, requests);
  const rows = requests.items.map(({ id, name, email, plan, status: is, createdAt, purpose }) => [
    id,
    name,
    email,
    plan,
    is,
    formatDay(createdAt),
    purpose,
  ]);
  io.out(rows.length === 0 ? 'No account requests found.\n' : formatTable(COLUMNS, rows, io.columns));
  printMoreHint(io, requests);
}

interface ApproveOptions extends AdminCommandOptions, ReasonOption {
  readonly owner?: string;
  readonly plan?: string;
  readonly seconds?: number;
}

function createAccountRequestsApproveCommand(io: Io): Command {
  return createAdminCommand(
    'approve',
    'Approve a request: create the account and a single-use sign-in link to send',
    'account-requests approve acr_4C578RQ63JdXHZx3Zzi8 --owner acme',
  )
    .argument('<id>', 'Account request id')
    .option('--owner <owner>', "Owner of the account's keys (default: the id of the account)")
    .option('--plan <plan>', 'Plan of the account (default: that of the request)')
    .option('--seconds <count>', 'Lifetime of the link in seconds, at most 604800 (default: 604800, 7 days)', toCount)
    .option(...REASON_OPTION)
    .action((id: string, options: ApproveOptions) => approve(io, id, options));
}

async function approve(io: Io, id: string, { json, owner, plan, seconds, reason }: ApproveOptions): Promise<void> {
  const input = { json: { owner, plan, seconds }, reason };
  const { body } = await connect(io).call<AccountApprovalResponse>(
    'POST',
    joinPath('account-requests', id, 'approve'),
    input,
  );
  if (json === true) return printJson(io, body);
  const { account, request } = body;
  io.out(
    `Created account ${account.id} for ${account.owner} (plan ${account.plan}). Send the link to ${request.email}:\n`,
  );
  printLink(io, body);
}

function createAccountRequestsDeclineCommand(io: Io): Command {
  return createAdminCommand(
    'decline',
    'Decline a request for an account; the person is not notified',
    'account-requests decline acr_4C578RQ63JdXHZx3Zzi8 --reason "no answer to our question"',
  )
    .argument('<id>', 'Account request id')
    .option(...REASON_OPTION)
    .action((id: string, options: AdminCommandOptions & ReasonOption) => decline(io, id, options));
}

async function decline(io: Io, id: string, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  const path = joinPath('account-requests', id, 'decline');
  const { body } = await connect(io).call<AccountRequestResponse>('POST', path, { json: {}, reason });
  if (json === true) printJson(io, body);
  else io.out(`Declined the request of ${body.name}.\n`);
}
