import { toPrintable } from '../base/text.ts';
import type { Command } from 'commander';
import type { ConfigurationAnswer, GatewayAnswer, SystemAnswer } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun } from './command.ts';
import type { Io } from './io.ts';
import { count, printJson, time } from './output.ts';
import { fields, table } from './table.ts';

export function systemCommand(io: Io): Command {
  return noun(
    'system',
    'Show the state of the gateway (default: show)',
    systemGateways(io),
    systemConfiguration(io),
  ).addCommand(systemShow(io), { isDefault: true });
}

const COMPONENT_COLUMNS = [
  { title: 'COMPONENT', whole: true },
  { title: 'KIND', whole: true },
  { title: 'STATE', whole: true },
  { title: 'SINCE (UTC)', whole: true },
  { title: 'CAUSE' },
];

function systemShow(io: Io): Command {
  return adminCommand('show', 'Show the health of the gateway and its components', 'system show').action(
    (options: AdminCommandOptions) => show(io, options),
  );
}

async function show(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<SystemAnswer>('GET', '/system');
  if (json === true) return printJson(io, body);
  const { version, nodeVersion, gateway, health, listeners, components, history } = body;
  const facts = fields([
    ['version', `${version}, on Node ${nodeVersion}`],
    ['gateway', `${gateway.id} on ${gateway.host}, since ${time(gateway.startedAt)}`],
    ['health', health],
    ['public URL', listeners.public],
    ['admin URL', listeners.admin],
    ['history', `${count(history.pendingRows, 'row')} pending, oldest ${Math.round(history.lagMs / 1000)} s`],
  ]);
  const rows = components.map(({ name, kind, state, since, cause }) => {
    return [name, kind, state === 'away' ? 'unreachable' : state, time(since), cause ?? ''];
  });
  io.out(`${facts}\n${table(COMPONENT_COLUMNS, rows, io.columns)}`);
}

const GATEWAY_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'HOST' },
  { title: 'VERSION', whole: true },
  { title: 'STATE', whole: true },
  { title: 'STARTED (UTC)', whole: true },
  { title: 'LAST SEEN (UTC)', whole: true },
];

function systemGateways(io: Io): Command {
  const command = adminCommand(
    'gateways',
    'List the gateways that share the database, latest start first',
    'system gateways',
  );
  return withListOptions(command).action((options: AdminCommandOptions & ListOptions) => listGateways(io, options));
}

async function listGateways(io: Io, options: AdminCommandOptions & ListOptions): Promise<void> {
  const gateways = await list<GatewayAnswer>(connect(io), '/gateways', {}, options);
  if (options.json === true) return printJson(io, gateways);
  const rows = gateways.items.map(({ id, host, version, state, startedAt, lastSeenAt }) => {
    return [id, host, version, state, time(startedAt), time(lastSeenAt)];
  });
  io.out(rows.length === 0 ? 'No gateways found.\n' : table(GATEWAY_COLUMNS, rows, io.columns));
  printMore(io, gateways);
}

const SETTING_COLUMNS = [{ title: 'SETTING', whole: true }, { title: 'VALUE' }, { title: 'SOURCE', whole: true }];

function systemConfiguration(io: Io): Command {
  return adminCommand(
    'configuration',
    'Show the configuration in effect and the source of each setting, without secrets (tab-separated when piped)',
    'system configuration',
  ).action((options: AdminCommandOptions) => showConfiguration(io, options));
}

async function showConfiguration(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<ConfigurationAnswer>('GET', '/system/configuration');
  if (json === true) return printJson(io, body);
  const rows = body.settings.map(({ name, value, from }) => [
    name,
    value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    from?.replace(/^.*\//, '') ?? 'default',
  ]);
  if (io.columns !== null) return io.out(`${body.file}\n\n${table(SETTING_COLUMNS, rows, io.columns)}`);
  for (const row of rows) io.out(`${row.map(toPrintable).join('\t')}\n`);
}
