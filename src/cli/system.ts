import { toPrintable, pluralize } from '../base/text.ts';
import type { Command } from 'commander';
import type { ConfigurationResponse, GatewayResponse, GatewaysResponse, SystemResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { readList, type ListOptions, printMoreHint, withListOptions } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import type { Io } from './io.ts';
import { printJson, formatTime } from './output.ts';
import { formatFields, formatTable } from './table.ts';

export function createSystemCommand(io: Io): Command {
  return createCommandGroup(
    'system',
    'Show the state of the gateway (default: show)',
    createSystemGatewaysCommand(io),
    createSystemConfigurationCommand(io),
  ).addCommand(createSystemShowCommand(io), { isDefault: true });
}

const COMPONENT_COLUMNS = [
  { title: 'COMPONENT', whole: true },
  { title: 'KIND', whole: true },
  { title: 'STATE', whole: true },
  { title: 'SINCE (UTC)', whole: true },
  { title: 'CAUSE' },
];

function createSystemShowCommand(io: Io): Command {
  return createAdminCommand('show', 'Show the health of the gateway and its components', 'system show').action(
    (options: AdminCommandOptions) => show(io, options),
  );
}

async function show(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<SystemResponse>('GET', '/system');
  if (json === true) return printJson(io, body);
  const { version, nodeVersion, gateway, health, listeners, components, history } = body;
  const facts = formatFields([
    ['version', `${version}, on Node ${nodeVersion}`],
    ['gateway', `${gateway.id} on ${gateway.host}, since ${formatTime(gateway.startedAt)}`],
    ['health', health],
    ['public URL', listeners.public],
    ['admin URL', listeners.admin],
    ['history', `${pluralize(history.pendingRows, 'row')} pending, oldest ${Math.round(history.lagMs / 1000)} s`],
  ]);
  const rows = components.map(({ name, kind, state, since, cause }) => {
    return [name, kind, state === 'away' ? 'unreachable' : state, formatTime(since), cause ?? ''];
  });
  io.out(`${facts}\n${formatTable(COMPONENT_COLUMNS, rows, io.columns)}`);
}

const GATEWAY_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'HOST' },
  { title: 'VERSION', whole: true },
  { title: 'STATE', whole: true },
  { title: 'CONFIGURATION', whole: true },
  { title: 'STARTED (UTC)', whole: true },
  { title: 'LAST SEEN (UTC)', whole: true },
];

function createSystemGatewaysCommand(io: Io): Command {
  const command = createAdminCommand(
    'gateways',
    'List the gateways that share the database, latest start first',
    'system gateways',
  );
  return withListOptions(command).action((options: AdminCommandOptions & ListOptions) => listGateways(io, options));
}

async function listGateways(io: Io, options: AdminCommandOptions & ListOptions): Promise<void> {
  const gateways = await readList<GatewayResponse, GatewaysResponse>(connect(io), '/gateways', {}, options);
  if (options.json === true) return printJson(io, gateways);
  const rows = gateways.items.map(({ id, host, version, state, configuration, startedAt, lastSeenAt }) => {
    const digest = configuration?.digest ?? 'unknown';
    return [id, host, version, state, digest, formatTime(startedAt), formatTime(lastSeenAt)];
  });
  io.out(rows.length === 0 ? 'No gateways found.\n' : formatTable(GATEWAY_COLUMNS, rows, io.columns));
  if (gateways.drift !== null) {
    const { since, parts } = gateways.drift;
    io.out(`\nThe configurations differ since ${formatTime(since)} (UTC), in: ${parts.join(', ')}.\n`);
    io.out('Make their files identical, then run "tollgate config reload" or restart the gateways that are behind.\n');
  }
  printMoreHint(io, gateways);
}

const SETTING_COLUMNS = [{ title: 'SETTING', whole: true }, { title: 'VALUE' }, { title: 'SOURCE', whole: true }];

function createSystemConfigurationCommand(io: Io): Command {
  return createAdminCommand(
    'configuration',
    'Show the configuration in effect and the source of each setting, without secrets (tab-separated when piped)',
    'system configuration',
  ).action((options: AdminCommandOptions) => showConfiguration(io, options));
}

async function showConfiguration(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<ConfigurationResponse>('GET', '/system/configuration');
  if (json === true) return printJson(io, body);
  const rows = body.settings.map(({ name, value, from }) => [
    name,
    value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    from?.replace(/^.*\//, '') ?? 'default',
  ]);
  if (io.columns !== null) return io.out(`${body.file}\n\n${formatTable(SETTING_COLUMNS, rows, io.columns)}`);
  for (const row of rows) io.out(`${row.map(toPrintable).join('\t')}\n`);
}
