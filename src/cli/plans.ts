import type { Command } from 'commander';
import { WINDOW_NAMES } from '../domain/quota-limits.ts';
import type { Plan } from '../domain/plan.ts';
import { connect } from './admin-api.ts';
import { listAll } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun } from './command.ts';
import type { Io } from './io.ts';
import { printJson } from './output.ts';
import { plansApply } from './plans-apply.ts';
import { table } from './table.ts';

export function plansCommand(io: Io): Command {
  return noun('plans', 'Manage plans', plansList(io), plansApply(io));
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

function plansList(io: Io): Command {
  return adminCommand('list', 'List plans', 'plans list').action((options: AdminCommandOptions) =>
    listPlans(io, options),
  );
}

async function listPlans(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const plans = await listAll<Plan>(connect(io), '/plans');
  if (json === true) return printJson(io, plans);
  const rows = plans.items.map((plan) => {
    const { id, name, limits, concurrent, operations, priceText, mode, onStoreFailure, description } = plan;
    const perWindow = WINDOW_NAMES.map((window) => (limits === null ? 'custom' : String(limits[window] ?? 'none')));
    const amounts = [...perWindow, String(concurrent ?? 'none')];
    return [id, name, ...amounts, operations?.join(', ') ?? 'all', mode, onStoreFailure, priceText, description];
  });
  io.out(rows.length === 0 ? 'No plans found.\n' : table(COLUMNS, rows, io.columns));
}
