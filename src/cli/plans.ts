import type { Command } from 'commander';
import { WINDOW_NAMES } from '../domain/quota-limits.ts';
import type { Plan } from '../domain/plan.ts';
import { connect } from './admin-api.ts';
import { readWholeList } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import type { Io } from './io.ts';
import { printJson } from './output.ts';
import { createPlansApplyCommand } from './plans-apply.ts';
import { formatTable } from './table.ts';

export function createPlansCommand(io: Io): Command {
  return createCommandGroup('plans', 'Manage plans', createPlansListCommand(io), createPlansApplyCommand(io));
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'NAME' },
  { title: 'PER MINUTE', whole: true, right: true },
  { title: 'PER DAY', whole: true, right: true },
  { title: 'PER MONTH', whole: true, right: true },
  { title: 'AT ONCE', whole: true, right: true },
  { title: 'OPERATIONS' },
  { title: 'MODE', whole: true },
  { title: 'ON STORE FAILURE', whole: true },
  { title: 'PRICE' },
  { title: 'DESCRIPTION' },
];

function createPlansListCommand(io: Io): Command {
  return createAdminCommand('list', 'List plans', 'plans list').action((options: AdminCommandOptions) =>
    listPlans(io, options),
  );
}

async function listPlans(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const plans = await readWholeList<Plan>(connect(io), '/plans');
  if (json === true) return printJson(io, plans);
  const rows = plans.items.map((plan) => {
    const { id, name, limits, concurrent, operations, priceText, mode, onStoreFailure, description } = plan;
    const perWindow = WINDOW_NAMES.map((window) => (limits === null ? 'custom' : String(limits[window] ?? 'none')));
    const amounts = [...perWindow, String(concurrent ?? 'none')];
    return [id, name, ...amounts, operations?.join(', ') ?? 'all', mode, onStoreFailure, priceText, description];
  });
  io.out(rows.length === 0 ? 'No plans found.\n' : formatTable(COLUMNS, rows, io.columns));
}
