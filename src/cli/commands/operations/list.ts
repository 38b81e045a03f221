import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { OperationAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { table } from '../../output/table.ts';
import { printJson } from '../../output/json.ts';
import { day, tellOfMore, time } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'METHOD', whole: true },
  { title: 'PATH' },
  { title: 'UPSTREAM' },
  { title: 'COST', whole: true, right: true },
  { title: 'DEPRECATED', whole: true },
  { title: 'SUNSET', whole: true },
  { title: 'BROWNOUT', whole: true },
];

export function operationsList(io: Io): Command {
  const command = adminCommand(
    'list',
    'list what the gateway serves, by path (--json has every field)',
    'operations list',
  );
  return withListOptions(command).action((options: AdminCommandOptions & ListOptions) => show(io, options));
}

async function show(io: Io, options: AdminCommandOptions & ListOptions): Promise<void> {
  const operations = await list<OperationAnswer>(connect(io), '/operations', {}, options);
  if (options.json === true) return printJson(io, operations);
  const rows = operations.items.map(({ id, method, path, upstream, cost, lifecycle }) => {
    const { deprecated, deprecatedAt, sunsetAt } = lifecycle;
    const since = deprecatedAt === null ? (deprecated ? 'yes' : '') : day(deprecatedAt);
    const ends = sunsetAt === null ? '' : day(sunsetAt);
    return [id, method, path, upstream, String(cost), since, ends, nextBrownout(lifecycle, io.now())];
  });
  io.out(rows.length === 0 ? 'No operations.\n' : table(COLUMNS, rows, io.columns));
  tellOfMore(io, operations);
}

/** When the operation is switched off next, or is now; empty if there is nothing to come. */
function nextBrownout({ brownouts }: OperationAnswer['lifecycle'], now: number): string {
  const next = brownouts.find(({ to }) => Date.parse(to) > now);
  if (next === undefined) return '';
  return Date.parse(next.from) <= now ? `until ${time(next.to)}` : time(next.from);
}
