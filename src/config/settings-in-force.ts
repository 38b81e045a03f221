import { z } from 'zod';
import type { YamlFile } from '../base/yaml.ts';
import { type Environment, reloadableVariables, variables } from './environment.ts';
import { configSchema, liveSettings } from './config-schema.ts';
import { httpServiceSettings, httpUpstream, moduleServiceSettings, moduleUpstream } from './upstream-settings.ts';

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
interface RedactedSetting extends Setting {
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
  const schemas = [toJsonSchema(liveSettings), toJsonSchema(z.object(reloadableVariables))];
  const isLive = ({ name }: Setting) => schemas.some((schema) => isInSchema(schema, name.split('.')));
  return { fixed: settings.filter((each) => !isLive(each)), live: settings.filter(isLive) };
}

function isInSchema({ properties = {} }: JsonSchema, [step = '', ...below]: readonly string[]): boolean {
  const schema = properties[step];
  return schema !== undefined && (schema.properties === undefined || below.length === 0 || isInSchema(schema, below));
}

/** The settings of both parts, in the order of `listSettings`. */
export function joinSettings(fixed: readonly Setting[], live: readonly Setting[]): Setting[] {
  const order = [...Object.keys(variables.shape), ...Object.keys(configSchema.shape)];
  const findOrderIndex = ({ name }: Setting) => order.indexOf(name.split('.', 1)[0] ?? '');
  return [...fixed, ...live].toSorted((one, other) => findOrderIndex(one) - findOrderIndex(other));
}

const SERVICE_SETTINGS = new Set(Object.keys({ ...moduleServiceSettings, ...httpServiceSettings }));

/** The name of the upstream if the setting affects how its service is opened; null for any other setting. */
export function findOpenedUpstream({ name }: Pick<Setting, 'name'>): string | null {
  const [, upstream = '', key = ''] = /^upstreams\.([^.]+)\.([^.]+)/.exec(name) ?? [];
  return SERVICE_SETTINGS.has(key) ? upstream : null;
}

/**
 * Lists every setting with its current value: the variables first, then the settings of the file in the order of its
 * schema.
 */
export function listSettings(sources: Sources): Setting[] {
  const fromVariables = Object.entries(toJsonSchema(variables).properties ?? {})
    .filter(([name]) => !Object.values(OVERRIDES).includes(name))
    .map(([name, schema]) => createSetting(name, findInEnvironment(name, sources), schema.default));
  return [...fromVariables, ...listObjectSettings(toJsonSchema(configSchema), [], '', sources)];
}

/** Removes the secret parts of a setting, so that operators may see it. */
export function redactSetting(setting: Setting): RedactedSetting {
  const secret = isSecret(setting.name);
  return { ...setting, value: secret ? describeSecret(setting.value) : withoutSecrets(setting.value), secret };
}

type Place = readonly (string | number)[];

interface FoundValue {
  readonly value: unknown;
  readonly source: 'file' | 'environment';
  readonly from: string;
}

function listObjectSettings(
  { properties = {} }: JsonSchema,
  place: Place,
  prefix: string,
  sources: Sources,
): Setting[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const [at, name] = [[...place, key], `${prefix}${key}`];
    if (schema.properties !== undefined) return listObjectSettings(schema, at, `${name}.`, sources);
    const variable = OVERRIDES[name];
    const found = (variable === undefined ? null : findInEnvironment(variable, sources)) ?? findInFile(at, sources);
    return listValueSettings(name, at, found, schema.default, sources);
  });
}

/** Splits maps and lists of objects into one setting per value, because only some of the values may be secret. */
function listValueSettings(
  name: string,
  at: Place,
  found: FoundValue | null,
  defaultValue: unknown,
  sources: Sources,
): Setting[] {
  if (found === null || typeof found.value !== 'object' || found.value === null)
    return [createSetting(name, found, defaultValue)];
  if (!Array.isArray(found.value)) {
    return Object.keys(found.value).map((key) =>
      createSetting(`${name}.${key}`, findInFile([...at, key], sources), undefined),
    );
  }
  if (!found.value.some((entry) => typeof entry === 'object')) return [createSetting(name, found, defaultValue)];
  return found.value.flatMap((entry: { readonly name?: string }, index) =>
    listObjectSettings(findEntrySchema(name, entry), [...at, index], `${name}.${entry.name ?? index + 1}.`, sources),
  );
}

/** The schema of an entry in a list. For an upstream, this is the schema of its kind, which has the defaults. */
function findEntrySchema(list: string, entry: object): JsonSchema {
  if (list === 'upstreams') return toJsonSchema('module' in entry ? moduleUpstream : httpUpstream);
  return { properties: Object.fromEntries(Object.keys(entry).map((key) => [key, {}])) };
}

function createSetting(name: string, found: FoundValue | null, defaultValue: unknown): Setting {
  const value = found?.value ?? defaultValue ?? null;
  const { source, from } = found ?? { source: 'default', from: null };
  return { name, value, source, from };
}

function describeSecret(value: unknown): string {
  return value === null ? 'not set' : 'set';
}

function findInEnvironment(name: string, { env, given }: Sources): FoundValue | null {
  return env[name] ? { value: env[name], source: 'environment', from: given[name] ? name : `${name}_FILE` } : null;
}

function findInFile(at: Place, { yaml, filled }: Sources): FoundValue | null {
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
const SECRET_SETTING =
  /^(?:TOLLGATE_ADMIN_TOKEN|(?:admin|portal)\.oidc\.clientSecret|adminTokens\..*\.token|upstreams\.[^.]*\.(?:headers|options)\..*)$/;

/** @param name as in `Setting.name` */
function isSecret(name: string): boolean {
  return SECRET_SETTING.test(name);
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
