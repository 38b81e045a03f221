import { isDeepStrictEqual } from 'node:util';
import type { Config } from './load.ts';
import type { Setting } from './settings-in-force.ts';

/** Differences between the current configuration and another one: the names of settings, as `Setting.name`. */
export interface Changes {
  /** What a reload puts in force. */
  readonly changed: readonly string[];
  /** What holds from the next start on. */
  readonly restart: readonly string[];
  /** What is in force after a reload. */
  readonly config: Config;
}

type Path =
  | Exclude<keyof Config, 'edge' | 'portal' | 'inForce' | 'warnings'>
  | `edge.${keyof Config['edge']}`
  | `portal.${keyof Config['portal']}`;

/**
 * What applies a change to each setting, including everything below it. It is `reload` if `openGateway`, on a reload,
 * rebuilds what uses the setting, or passes it to what stays open.
 */
const APPLIED_BY: Readonly<Record<Path, 'reload' | 'restart'>> = {
  admin: 'restart',
  adminHost: 'restart',
  adminPort: 'restart',
  adminToken: 'reload',
  adminTokens: 'reload',
  afterSunset: 'reload',
  bans: 'restart',
  cors: 'reload',
  dataDir: 'restart',
  database: 'restart',
  demo: 'restart',
  drain: 'restart',
  'edge.dropHeaders': 'reload',
  'edge.headersTimeout': 'restart',
  'edge.keepAlive': 'restart',
  'edge.maxBody': 'reload',
  'edge.maxConnections': 'restart',
  'edge.maxConnectionsPerAddress': 'restart',
  'edge.maxHeader': 'restart',
  'edge.maxTunnels': 'restart',
  'edge.requestTimeout': 'restart',
  'edge.reusePort': 'restart',
  'edge.tunnelIdle': 'restart',
  'edge.writeTimeout': 'restart',
  events: 'restart',
  file: 'restart',
  guard: 'reload',
  history: 'restart',
  host: 'restart',
  keys: 'reload',
  logLevel: 'reload',
  plans: 'reload',
  port: 'restart',
  'portal.accent': 'restart',
  'portal.apiUrl': 'reload',
  'portal.contact': 'reload',
  'portal.description': 'reload',
  'portal.enabled': 'restart',
  'portal.logo': 'restart',
  'portal.maxConnections': 'restart',
  'portal.maxConnectionsPerAddress': 'restart',
  'portal.maxKeys': 'reload',
  'portal.oidc': 'restart',
  'portal.pages': 'reload',
  'portal.plan': 'reload',
  'portal.public': 'reload',
  'portal.requestablePlans': 'reload',
  'portal.signUp': 'reload',
  'portal.title': 'restart',
  'portal.tls': 'restart',
  'portal.url': 'restart',
  portalHost: 'restart',
  portalPort: 'restart',
  rateLimitHeaders: 'reload',
  redis: 'restart',
  registry: 'restart',
  replicas: 'restart',
  rotation: 'reload',
  store: 'restart',
  tls: 'restart',
  traces: 'restart',
  trustedProxies: 'reload',
  upstreams: 'reload',
};

const RELOADED = (Object.keys(APPLIED_BY) as Path[]).filter((path) => APPLIED_BY[path] === 'reload');

const NAMES: Partial<Record<Path, string>> = { adminToken: 'TOLLGATE_ADMIN_TOKEN' };

/** As `Setting.name`. */
export const reloadedSettings: readonly string[] = RELOADED.map((path) => NAMES[path] ?? path);

/** For a running module: what it was created from. */
const OF_MODULE = /^upstreams\.([^.]+)\.(?:module|options)(?:\.|$)/;

/** Compares the current configuration with a new one. */
export function changesBetween(before: Config, read: Config): Changes {
  const keptModules = modulesOfBoth(before, read);
  const isReloaded = (name: string) => {
    const module = OF_MODULE.exec(name)?.[1];
    if (module !== undefined) return !keptModules.has(module);
    return reloadedSettings.some((each) => name === each || name.startsWith(`${each}.`));
  };
  const names = [...new Set([...changedSettings(before, read), ...changedFiles(before, read)])];
  return {
    changed: names.filter(isReloaded),
    restart: names.filter((name) => !isReloaded(name)),
    config: reloaded(before, read, isReloaded),
  };
}

function modulesOfBoth(before: Config, read: Config): ReadonlySet<string> {
  const modules = ({ upstreams }: Config) => upstreams.filter((each) => 'module' in each).map(({ name }) => name);
  return new Set(modules(before)).intersection(new Set(modules(read)));
}

function changedSettings({ inForce: before }: Config, { inForce: read }: Config): string[] {
  const valuesOf = (settings: readonly Setting[]) =>
    new Map(settings.filter(isSet).map(({ name, value }) => [name, value]));
  const [valuesBefore, valuesRead] = [valuesOf(before), valuesOf(read)];
  const names = [...new Set([...valuesRead.keys(), ...valuesBefore.keys()])];
  return names.filter((name) => !isDeepStrictEqual(valuesBefore.get(name), valuesRead.get(name)));
}

/** An empty list counts as not set: entries have names of their own. */
function isSet({ value }: Setting): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Settings that name the same file as before, but its content has changed. */
function changedFiles(before: Config, read: Config): string[] {
  const plans = isDeepStrictEqual(before.plans, read.plans) ? [] : ['plans'];
  const texts = new Map(before.upstreams.map(({ name, document }) => [name, document.source.text]));
  const changed = read.upstreams.filter(
    ({ name, document }) => texts.has(name) && texts.get(name) !== document.source.text,
  );
  const pages = isDeepStrictEqual(before.portal.pages, read.portal.pages) ? [] : ['portal.pages'];
  return [
    ...plans,
    ...pages,
    ...changed.map(({ name }) => `upstreams.${name}.openapi`),
    ...changedAuthorities(before, read),
  ];
}

function changedAuthorities(before: Config, read: Config): string[] {
  const authorities = ({ upstreams }: Config) =>
    upstreams.flatMap((each): [string, string | null][] => ('targets' in each ? [[each.name, each.authorities]] : []));
  const known = new Map(authorities(before));
  const changed = authorities(read).filter(([name, content]) => known.has(name) && known.get(name) !== content);
  return changed.map(([name]) => `upstreams.${name}.tls.ca`);
}

/** Takes exactly what `RELOADED` names. */
function reloaded(before: Config, read: Config, isReloaded: (name: string) => boolean): Config {
  const config = { ...before, edge: { ...before.edge }, portal: { ...before.portal } };
  for (const path of RELOADED) copy(path, read, config);
  return {
    ...config,
    warnings: read.warnings,
    upstreams: upstreamsOf(before, read),
    inForce: settingsOf(before, read, isReloaded),
  };
}

function copy(path: string, from: object, to: object): void {
  const [name = '', ...below] = path.split('.');
  const value: unknown = Reflect.get(from, name);
  if (below.length === 0) Object.assign(to, { [name]: value });
  else copy(below.join('.'), value as object, Reflect.get(to, name) as object);
}

/** A running module continues as it was created, whatever else changes in its upstream. */
function upstreamsOf({ upstreams: before }: Config, { upstreams: read }: Config): Config['upstreams'] {
  return read.map((upstream) => {
    const running = before.find(({ name }) => name === upstream.name);
    if (running === undefined || !('module' in running) || !('module' in upstream)) return upstream;
    const { module, options } = running;
    return { ...upstream, module, options };
  });
}

function settingsOf({ inForce: before }: Config, { inForce: read }: Config, isReloaded: (name: string) => boolean) {
  const names = new Set(read.map(({ name }) => name));
  const kept = new Map(before.filter(({ name }) => !isReloaded(name)).map((setting) => [setting.name, setting]));
  const present = read.flatMap((setting): Setting[] => {
    if (isReloaded(setting.name)) return [setting];
    const inForce = kept.get(setting.name);
    return inForce === undefined ? [] : [inForce];
  });
  return [...present, ...[...kept.values()].filter(({ name }) => !names.has(name))];
}
