import type { Command } from 'commander';
import type { ConfigurationAnswer, GatewayAnswer, SystemAnswer } from './admin-answers.ts';
import { connect } from './admin-api.ts';
import { list, type ListOptions, printMore, withListOptions } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, noun } from './command.ts';
import type { Io } from './io.ts';
import { printJson, time } from './output.ts';
import { fields, table } from './table.ts';

export function systemCommand(io: Io): Command {
  return noun(
    'system',
    'the gateways, what they need, and their configuration: "system" shows how the gateway is',
    systemGateways(io),
    systemConfiguration(io),
  ).addCommand(systemShow(io), { isDefault: true });
}

const COMPONENT_COLUMNS = [
  { title: 'WHAT', whole: true },
  { title: 'KIND', whole: true },
  { title: 'STATE', whole: true },
  { title: 'SINCE (UTC)', whole: true },
  { title: 'WHY' },
];

function systemShow(io: Io): Command {
  return adminCommand(
    'show',
    'show how the gateway is, what it needs, and since when that is as it is',
    'system show',
  ).action((options: AdminCommandOptions) => show(io, options));
}

async function show(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<SystemAnswer>('GET', '/system');
  if (json === true) return printJson(io, body);
  const { version, nodeVersion, gateway, health, listeners, components, history } = body;
  const facts = fields([
    ['version', `${version}, on Node ${nodeVersion}`],
    ['gateway', `${gateway.id} on ${gateway.host}, since ${time(gateway.startedAt)}`],
    ['health', health],
    ['consumers call', listeners.public],
    ['operators call', listeners.admin],
    ['history', `${history.pendingRows} rows not written yet, ${Math.round(history.lagMs / 1000)} s old`],
  ]);
  const rows = components.map(({ name, kind, state, since, cause }) => [name, kind, state, time(since), cause ?? '']);
  io.out(`${facts}\n${table(COMPONENT_COLUMNS, rows, io.columns)}`);
}

const GATEWAY_COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'MACHINE' },
  { title: 'VERSION', whole: true },
  { title: 'STATE', whole: true },
  { title: 'STARTED (UTC)', whole: true },
  { title: 'LAST SEEN (UTC)', whole: true },
];

function systemGateways(io: Io): Command {
  const command = adminCommand(
    'gateways',
    'list the gateways that use the same database, the latest start first',
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
  io.out(rows.length === 0 ? 'No gateways.\n' : table(GATEWAY_COLUMNS, rows, io.columns));
  printMore(io, gateways);
}

const SETTING_COLUMNS = [{ title: 'SETTING', whole: true }, { title: 'VALUE' }, { title: 'FROM', whole: true }];

function systemConfiguration(io: Io): Command {
  return adminCommand(
    'configuration',
    'show the configuration as it is in force, and where each setting comes from; no secret is in it',
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
  io.out(`${body.file}\n\n${table(SETTING_COLUMNS, rows, io.columns)}`);
}
