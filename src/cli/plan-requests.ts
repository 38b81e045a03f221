import { type Command, Option } from 'commander';
import type { PlanRequestResponse } from './admin-api-types.ts';
import { connect, joinPath } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, withListOptions } from './admin-list.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  type ReasonOption,
  toReason,
} from './command.ts';
import type { Io } from './io.ts';
import { formatDay, printJson } from './output.ts';
import { formatTable } from './table.ts';

export function createPlanRequestsCommand(io: Io): Command {
  return createCommandGroup(
    'plan-requests',
    'Manage requests for another plan',
    createPlanRequestsListCommand(io),
    createPlanRequestsApproveCommand(io),
    createPlanRequestsDeclineCommand(io),
  );
}

interface ListRequestsOptions extends AdminCommandOptions, ListOptions {
  readonly account?: string;
  readonly status?: string;
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'CURRENT PLAN' },
  { title: 'REQUESTED PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'CREATED', whole: true },
  { title: 'MESSAGE' },
];

function createPlanRequestsListCommand(io: Io): Command {
  const status = new Option('--status <status>', 'Filter by status').choices(['open', 'approved', 'declined']);
  const command = createAdminCommand(
    'list',
    'List requests for another plan, newest first',
    'plan-requests list --status open',
  )
    .option('--account <id>', 'Filter by account')
    .addOption(status);
  return withListOptions(command).action((options: ListRequestsOptions) => listRequests(io, options));
}

async function listRequests(io: Io, options: ListRequestsOptions): Promise<void> {
  const { account, status } = options;
  const requests = await readList<PlanRequestResponse>(connect(io), '/plan-requests', { account, status }, options);
  if (options.json === true) return printJson(io, requests);
  const rows = requests.items.map((request) => [
    request.id,
    request.account.owner,
    request.account.plan,
    request.plan,
    request.status,
    formatDay(request.createdAt),
    request.message,
  ]);
  io.out(rows.length === 0 ? 'No plan requests found.\n' : formatTable(COLUMNS, rows, io.columns));
  printMoreHint(io, requests);
}

function createPlanRequestsApproveCommand(io: Io): Command {
  const command = createAdminCommand(
    'approve',
    'Approve a request: the account and its keys move to the plan',
    'plan-requests approve plr_4C578RQ63JdXHZx3Zzi8 --reason "as agreed by phone"',
  );
  return command
    .argument('<id>', 'Plan request id')
    .option('--reason <text>', 'Reason, shown to the consumer', toReason)
    .action(async (id: string, options: DecideOptions) => {
      const request = await decide(io, id, 'approve', options);
      if (request !== null) io.out(`Approved. Account ${request.account.id} is now on plan ${request.plan}.\n`);
    });
}

function createPlanRequestsDeclineCommand(io: Io): Command {
  const command = createAdminCommand(
    'decline',
    'Decline a request for another plan',
    'plan-requests decline plr_4C578RQ63JdXHZx3Zzi8 --reason "your traffic fits Free well"',
  );
  return command
    .argument('<id>', 'Plan request id')
    .requiredOption('--reason <text>', 'Reason, shown to the consumer', toReason)
    .action(async (id: string, options: DecideOptions) => {
      const request = await decide(io, id, 'decline', options);
      if (request !== null) io.out(`Declined. Account ${request.account.id} stays on plan ${request.account.plan}.\n`);
    });
}

type DecideOptions = AdminCommandOptions & ReasonOption;

/** Approves or declines a request. @returns null if it was printed as JSON */
async function decide(
  io: Io,
  id: string,
  decision: 'approve' | 'decline',
  { json, reason }: DecideOptions,
): Promise<PlanRequestResponse | null> {
  const path = joinPath('plan-requests', id, decision);
  const { body } = await connect(io).call<PlanRequestResponse>('POST', path, { json: { reason } });
  if (json !== true) return body;
  printJson(io, body);
  return null;
}
