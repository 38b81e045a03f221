import { z } from 'zod';
import type { YamlFile } from '../base/yaml.ts';
import { type Environment, liveVariables, variables } from './environment.ts';
import { configSchema, liveSettings } from './config-schema.ts';
import { httpService, httpUpstream, moduleService, moduleUpstream } from './upstream-settings.ts';

/** A setting with its current value. It may be secret, so call `redactSetting` before showing it. */
export interface Setting {
  /**
   * The dotted path, where list entries have their name instead of their index: `upstreams.petstore.maxBody`. For a
   * variable, its name.
   */
  readonly name: string;
  /** The value as the user wrote it, with variables replaced; null if it is not set. */
  readonly value: unknown;
  readonly source: 'file' | 'environment' | 'default';
  /** `file:line`, or the name of the variable (`NAME_FILE` if the value is from that file); null for a default. */
  readonly from: string | null;
}

/** A setting without secrets. */
interface ShownSetting extends Setting {
  /** For a secret: `set` or `not set`. */
  readonly value: unknown;
  readonly secret: boolean;
}

interface JsonSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** The sources of the configuration. */
export interface Sources {
  readonly yaml: YamlFile;
  /** The value of the file with variables replaced. */
  readonly filled: unknown;
  /** The environment, including values from files that `NAME_FILE` variables name. */
  readonly env: Environment;
  /** The environment of the process, without values from files. */
  readonly given: Environment;
}

/** Variables that override a setting of the file. */
const OVERRIDES: Readonly<Record<string, string>> = {
  database: 'TOLLGATE_DATABASE',
  store: 'TOLLGATE_STORE',
  logLevel: 'TOLLGATE_LOG_LEVEL',
};

/** Divides the settings between `Fixed` and `Live`. A setting is live if the schemas of live settings contain it. */
export function divideSettings(settings: readonly Setting[]): Record<'fixed' | 'live', readonly Setting[]> {
  const schemas = [toJsonSchema(liveSettings), toJsonSchema(z.object(liveVariables))];
  const isLive = ({ name }: Setting) => schemas.some((schema) => isIn(schema, name.split('.')));
  return { fixed: settings.filter((each) => !isLive(each)), live: settings.filter(isLive) };
}

function isIn({ properties = {} }: JsonSchema, [step = '', ...below]: readonly string[]): boolean {
  const schema = properties[step];
  return schema !== undefined && (schema.properties === undefined || below.length === 0 || isIn(schema, below));
}

/** The settings of both parts, in the order of `settingsInForce`. */
export function joinSettings(fixed: readonly Setting[], live: readonly Setting[]): Setting[] {
  const order = [...Object.keys(variables.shape), ...Object.keys(configSchema.shape)];
  const findPlace = ({ name }: Setting) => order.indexOf(name.split('.', 1)[0] ?? '');
  return [...fixed, ...live].toSorted((one, other) => findPlace(one) - findPlace(other));
}

const OPENS_SERVICE = new Set(Object.keys({ ...moduleService, ...httpService }));

/** The name of the upstream if the setting affects how its service is opened; null for any other setting. */
export function openedService({ name }: Setting): string | null {
  const [, upstream = '', key = ''] = /^upstreams\.([^.]+)\.([^.]+)/.exec(name) ?? [];
  return OPENS_SERVICE.has(key) ? upstream : null;
}

/**
 * Lists every setting with its current value: the variables first, then the settings of the file in the order of its
 * schema.
 */
export function settingsInForce(sources: Sources): Setting[] {
  const fromVariables = Object.entries(toJsonSchema(variables).properties ?? {})
    .filter(([name]) => !Object.values(OVERRIDES).includes(name))
    .map(([name, schema]) => setting(name, ofVariable(name, sources), schema.default));
  return [...fromVariables, ...ofObject(toJsonSchema(configSchema), [], '', sources)];
}

/** Removes the secret parts of a setting, so that operators may see it. */
export function redactSetting(given: Setting): ShownSetting {
  const secret = isSecret(given.name);
  return { ...given, value: secret ? secretValue(given.value) : withoutSecrets(given.value), secret };
}

type Place = readonly (string | number)[];

interface Found {
  readonly value: unknown;
  readonly source: 'file' | 'environment';
  readonly from: string;
}

function ofObject({ properties = {} }: JsonSchema, place: Place, before: string, sources: Sources): Setting[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const [at, name] = [[...place, key], `${before}${key}`];
    if (schema.properties !== undefined) return ofObject(schema, at, `${name}.`, sources);
    const variable = OVERRIDES[name];
    const found = (variable === undefined ? null : ofVariable(variable, sources)) ?? inFile(at, sources);
    return ofValue(name, at, found, schema.default, sources);
  });
}

/** Splits maps and lists of objects into one setting per value, because only some of the values may be secret. */
function ofValue(name: string, at: Place, found: Found | null, preset: unknown, sources: Sources): Setting[] {
  if (found === null || typeof found.value !== 'object' || found.value === null) return [setting(name, found, preset)];
  if (!Array.isArray(found.value)) {
    return Object.keys(found.value).map((key) => setting(`${name}.${key}`, inFile([...at, key], sources), undefined));
  }
  if (!found.value.some((entry) => typeof entry === 'object')) return [setting(name, found, preset)];
  return found.value.flatMap((entry: { readonly name?: string }, index) =>
    ofObject(entrySchema(name, entry), [...at, index], `${name}.${entry.name ?? index + 1}.`, sources),
  );
}

/** The schema of an entry in a list. For an upstream, this is the schema of its kind, which has the defaults. */
function entrySchema(list: string, entry: object): JsonSchema {
  if (list === 'upstreams') return toJsonSchema('module' in entry ? moduleUpstream : httpUpstream);
  return { properties: Object.fromEntries(Object.keys(entry).map((key) => [key, {}])) };
}

function setting(name: string, found: Found | null, preset: unknown): Setting {
  const value = found?.value ?? preset ?? null;
  const { source, from } = found ?? { source: 'default', from: null };
  return { name, value, source, from };
}

function secretValue(value: unknown): string {
  return value === null ? 'not set' : 'set';
}

function ofVariable(name: string, { env, given }: Sources): Found | null {
  return env[name] ? { value: env[name], source: 'environment', from: given[name] ? name : `${name}_FILE` } : null;
}

function inFile(at: Place, { yaml, filled }: Sources): Found | null {
  let value = filled;
  for (const step of at) value = Object(value)[step];
  return value === undefined ? null : { value, source: 'file', from: yaml.locate(at) };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/**
 * The names of secret settings. Headers and options of upstreams count as secret, because only the service knows what
 * they contain.
 */
const SECRET =
  /^(?:TOLLGATE_ADMIN_TOKEN|(?:admin|portal)\.oidc\.clientSecret|adminTokens\..*\.token|upstreams\.[^.]*\.(?:headers|options)\..*)$/;

/** @param name as in `Setting.name` */
function isSecret(name: string): boolean {
  return SECRET.test(name);
}

/**
 * Removes the secret parts of a value: the user, password and query of a URL, and the query of a path. Any text may be
 * a URL, so every text is checked.
 */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutCredentials(value);
  return Array.isArray(value) ? value.map(withoutSecrets) : value;
}

function withoutCredentials(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/|(?=\/))(.*)$/is.exec(text) ?? [];
  if (rest === '') return text;
  // Cut at the last @, because an unencoded password may itself contain an @ or a slash.
  const at = scheme === '' ? -1 : rest.lastIndexOf('@');
  return `${scheme}${at === -1 ? '' : '…@'}${rest.slice(at + 1).replace(/[?#].*$/s, '?…')}`;
}
