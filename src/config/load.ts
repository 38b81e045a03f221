import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { checkClientSecrets } from './client-secrets.ts';
import { checkAdminTokens } from './admin-token-settings.ts';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { Config, FixedConfig } from './config.ts';
import { findCorsWarnings } from './cors-settings.ts';
import {
  VARIABLES_WITH_FILES,
  readEnvironment,
  reloadableVariables,
  refuseSharedPorts,
  type Environment,
  withVariablesFromFiles,
} from './environment.ts';
import { Faults } from '../base/configuration-faults.ts';
import { divideSettings, type Setting, listSettings, type Sources } from './settings-in-force.ts';
import { checkTexts, interpolateVariables } from './interpolate.ts';
import { listLogo, listSecretFiles, type VariableFiles } from './loaded-files.ts';
import { type SettingText, readDatabase, readLocations } from './storage-locations.ts';
import { type TeamPage, readTeamPages } from './team-pages.ts';
import { parsePlans, readPlans } from './plans-file.ts';
import { findKeyWarnings } from './key-settings.ts';
import { listKnownSettings } from './known-settings.ts';
import { configSchema, DEFAULT_DATABASE, DEFAULT_STORE, fixedSettings, liveSettings } from './config-schema.ts';
import { fixedEdge, liveEdge } from './edge-settings.ts';
import { fixedPortal, livePortal } from './portal-settings.ts';
import {
  refuseNoPaths,
  refuseSharedEventTypes,
  refuseManyPartialSegments,
  refuseSharedOperations,
  refuseOwnPath,
  CATALOG,
  PROTECTED_RESOURCE,
} from './openapi-conflicts.ts';
import {
  findSame,
  NO_DOCUMENT,
  readTexts,
  readUpstreamDocument,
  type UpstreamDocument,
} from '../openapi/upstream-document.ts';
import { readRequiredScopes } from '../openapi/required-scopes.ts';
import { suggestOverlay } from '../openapi/suggested-overlay.ts';
import { serverPathWarning } from '../openapi/server-paths.ts';
import { httpServiceSettings, isUrl, moduleServiceSettings, serviceUseSettings } from './upstream-settings.ts';
import { readTraceSettings } from './trace-settings.ts';
import { toPrintable } from '../base/text.ts';
import { readYaml, type YamlFile } from '../base/yaml.ts';
import { readConfiguredFile } from '../base/configured-file.ts';

type FileConfig = z.infer<typeof configSchema>;
/**
 * Loads the environment, the configuration file, and the plans and OpenAPI documents that the file names.
 *
 * @param processEnv the environment variables, such as `process.env`
 * @param cwd the folder for a relative path in TOLLGATE_CONFIG or TOLLGATE_DATA_DIR
 * @param known documents of the previous load, already checked for conflicts with each other; a document whose text is
 *   unchanged is not parsed again
 * @throws ConfigError listing all errors
 */
export function loadConfig(processEnv: Environment, cwd: string, known: readonly UpstreamDocument[] = []): Config {
  const faults = new Faults();
  const variableFiles: VariableFiles = new Map();
  const env = withVariablesFromFiles(processEnv, VARIABLES_WITH_FILES, faults, variableFiles);
  const variables = readEnvironment(env, faults);
  const traces = readTraceSettings(env, faults);
  const file = resolveConfigFile(env, cwd, faults);
  const settings = readSettings(file, env, faults, variableFiles);
  const dataDir = resolve(cwd, variables?.TOLLGATE_DATA_DIR ?? 'data');

  const setting = (name: 'database' | 'store', fallback: string) => {
    const variable = `TOLLGATE_${name.toUpperCase()}`;
    if (env[variable]) return { text: env[variable], where: 'environment', name: variable };
    return { text: settings.referenced?.[name] ?? fallback, where: settings.locate([name]), name };
  };
  const database = setting('database', DEFAULT_DATABASE);
  const locations = readLocations(database, setting('store', DEFAULT_STORE), dataDir, faults);
  if (locations?.database.kind === 'postgres' && !env['TOLLGATE_ADMIN_TOKEN']) {
    faults.add(
      'environment',
      'TOLLGATE_ADMIN_TOKEN',
      'is missing: with PostgreSQL, set the same token on all gateways',
    );
  }

  const folder = dirname(file);
  const plansFile = settings.referenced === null ? null : readPlans(resolve(folder, settings.referenced.plans), faults);
  const plans = plansFile === null ? null : parsePlans(plansFile, env, faults, variableFiles);
  const documents = readDocuments(settings, folder).map((one) =>
    readUpstreamDocument(one.file, one.options, faults, known),
  );
  const candidates = readCandidates(settings, folder).map(
    (one) => one && readUpstreamDocument(one.file, one.options, faults, known),
  );
  for (const one of candidates) if (one !== null && !known.includes(one)) refuseSharedOperations([one], faults);
  const areKnown = documents.every((one, index) => one === known[index]);
  if (!areKnown) {
    refuseSharedOperations(documents, faults);
    refuseManyPartialSegments(documents, faults);
  }
  refuseSharedEventTypes(documents, faults);
  if (settings.values?.portal.enabled === true && settings.values.portal.public)
    refuseOwnPath(CATALOG, documents, faults);
  if ((settings.values?.tokens.length ?? 0) > 0) refuseOwnPath(PROTECTED_RESOURCE, documents, faults);
  for (const [index, { scopes }] of settings.values?.upstreams.entries() ?? []) {
    if (scopes === 'enforce') readRequiredScopes(documents[index] ?? NO_DOCUMENT, faults);
  }
  const pages = readPages(settings, folder, faults);
  if (faults.count === 0) refuseNoPaths(documents, faults);
  refuseSharedPorts(variables, settings.values?.portal.enabled === true, faults);
  faults.throwIfAny(suggestOverlays(faults));
  const { values, written } = settings;
  if (variables === null || values === null || written === null || locations === null || plans === null)
    throw new Error('unreported configuration error');

  const upstreams = values.upstreams.map((upstream, index): UpstreamConfig => {
    const { name } = upstream;
    const candidateDocument = candidates[index] ?? null;
    const common = {
      ...pick(serviceUseSettings, upstream),
      document: documents[index] ?? NO_DOCUMENT,
      candidateDocument,
    };
    if ('module' in upstream) {
      const service = pick(moduleServiceSettings, upstream);
      return { name, ...common, service: { ...service, module: resolveModule(folder, service.module) } };
    }
    const { tls } = resolveFiles(upstream.tls, folder);
    const service = { ...pick(httpServiceSettings, upstream), ...(tls === undefined ? {} : { tls }) };
    return { name, ...common, service: { ...service, authorities: readIfPresent(tls?.ca) } };
  });
  const { edge, portal, admin } = values;
  const logo = portal.logo === undefined ? undefined : resolve(folder, portal.logo);
  let dividedSettings: Record<'fixed' | 'live', readonly Setting[]> | undefined;
  // Listing the settings takes time, so it is done on first use and not during the start.
  const readSettingsOnce = () =>
    (dividedSettings ??= divideSettings(listSettings({ ...written, env, given: processEnv })));
  return {
    fixed: {
      ...pick(fixedSettings.shape, values),
      ...resolveFiles(values.tls, folder),
      admin: { ...admin, ...resolveFiles(admin.tls, folder) },
      edge: pick(fixedEdge, edge),
      portal: {
        ...pick(fixedPortal, portal),
        ...resolveFiles(portal.tls, folder),
        ...(logo === undefined ? {} : { logo }),
      },
      file,
      host: variables.TOLLGATE_HOST,
      port: variables.TOLLGATE_PORT,
      adminHost: variables.TOLLGATE_ADMIN_HOST,
      adminPort: variables.TOLLGATE_ADMIN_PORT,
      portalHost: variables.TOLLGATE_PORTAL_HOST,
      portalPort: variables.TOLLGATE_PORTAL_PORT,
      dataDir,
      ...locations,
      traces,
      files: [...listSecretFiles(variableFiles, isFixedVariable), ...listLogo(portal.enabled ? logo : undefined)],
      get settings() {
        return readSettingsOnce().fixed;
      },
    },
    live: {
      ...pick(liveSettings.shape, values),
      edge: pick(liveEdge, edge),
      portal: { ...pick(livePortal, portal), pages },
      adminToken: variables.TOLLGATE_ADMIN_TOKEN ?? null,
      logLevel: variables.TOLLGATE_LOG_LEVEL ?? values.logLevel,
      plans,
      upstreams,
      files: listSecretFiles(variableFiles, (name) => !isFixedVariable(name)),
      warnings: [
        ...upstreams.flatMap(collectWarnings),
        ...upstreams.flatMap((upstream) => createBodyWarning(upstream, values.validation.maxBody) ?? []),
        ...upstreams.flatMap((upstream, index) => {
          const where = settings.locate(['upstreams', index, 'scopes']);
          return findScopesWarnings(upstream, values.tokens.length > 0).map((warning) => `${where}: ${warning}`);
        }),
        ...findKeyWarnings(values.keys, (index) => settings.locate(['keys', 'foreign', index])),
        ...findCorsWarnings(values.cors, settings.locate(['cors', 'expose'])),
      ].map(toPrintable),
      get settings() {
        return readSettingsOnce().live;
      },
    },
  };
}

/** Whether a variable takes effect only at a start. */
function isFixedVariable(name: string): boolean {
  return VARIABLES_WITH_FILES.includes(name) && !Object.hasOwn(reloadableVariables, name);
}

/** The values whose names are keys of the shape. */
function pick<Shape extends object, Values extends object>(
  shape: Shape,
  values: Values,
): Pick<Values, keyof Shape & keyof Values> {
  const picked = Object.entries(values).filter(([name]) => Object.hasOwn(shape, name));
  return Object.fromEntries(picked) as Pick<Values, keyof Shape & keyof Values>;
}

function readPages({ values, locate }: ConfigFile, folder: string, faults: Faults): readonly TeamPage[] {
  const { enabled = false, pages } = values?.portal ?? {};
  if (!enabled || pages === undefined) return [];
  return readTeamPages(resolve(folder, pages), locate(['portal', 'pages']), faults);
}

/** Whether all documents that the configuration names are unchanged, so that `loadConfig` would parse none of them. */
export function areDocumentsKnown(processEnv: Environment, cwd: string, known: readonly UpstreamDocument[]): boolean {
  const faults = new Faults();
  const env = withVariablesFromFiles(processEnv, VARIABLES_WITH_FILES, faults);
  const file = resolveConfigFile(env, cwd, faults);
  const settings = readSettings(file, env, faults);
  const candidates = readCandidates(settings, dirname(file)).filter((one) => one !== null);
  return [...readDocuments(settings, dirname(file)), ...candidates].every(({ file: path, options }) => {
    const texts = readTexts(path, options, faults);
    return texts !== null && findSame(known, { file: path, ...texts, options }) !== undefined;
  });
}

/** The configuration files that are looked for, in this order, if TOLLGATE_CONFIG names none. */
const DEFAULT_FILES = ['gateway.yaml', 'config/gateway.yaml'];

function resolveConfigFile(env: Environment, cwd: string, faults: Faults): string {
  const name = env['TOLLGATE_CONFIG'];
  if (name) return resolve(cwd, name);
  const found = DEFAULT_FILES.map((file) => resolve(cwd, file)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  const [first = '', second = ''] = DEFAULT_FILES;
  const file = resolve(cwd, first);
  faults.addUnread(
    file,
    '',
    `does not exist, and neither does ${second}: create it with "tollgate init", or name yours in TOLLGATE_CONFIG`,
  );
  return file;
}

/** The paths of the documents that the configuration names, with the options for reading them. */
function readDocuments({ referenced }: Pick<ConfigFile, 'referenced'>, folder: string) {
  return (referenced?.documents ?? []).map(({ openapi, overlays, candidate: _, ...options }) => ({
    file: resolve(folder, openapi),
    options: {
      ...options,
      ...(overlays === undefined ? {} : { overlays: overlays.map((file) => resolve(folder, file)) }),
    },
  }));
}

/** The next versions of these documents, in the same order; null: there is none. They get the same overlays. */
function readCandidates({ referenced }: ConfigFile, folder: string) {
  const documents = readDocuments({ referenced }, folder);
  return (referenced?.documents ?? []).map(({ candidate }, index) =>
    candidate === undefined
      ? null
      : {
          file: resolve(folder, candidate),
          options: { ...documents[index]?.options, events: false, isCandidate: true },
        },
  );
}

/** Suggests an overlay for each document that would be usable with one. */
function suggestOverlays({ removals }: Faults): readonly string[] {
  return [...removals].map(([file, queries]) => {
    const name = toPrintable(file);
    const where = `To use ${name} unchanged, save this as a file, and name the file in overlays of the upstream:`;
    return `${where}\n\n${suggestOverlay([...queries])}`;
  });
}

/**
 * Loads only what is needed to open the database. Errors in other settings are ignored.
 *
 * @throws ConfigError
 */
export function loadDatabaseLocation(processEnv: Environment, cwd: string): Pick<FixedConfig, 'database' | 'dataDir'> {
  const faults = new Faults();
  const { dataDir, setting } = readStorageSettings(processEnv, cwd, ['TOLLGATE_DATABASE'], faults);
  const database = readDatabase(setting('database', DEFAULT_DATABASE), dataDir, faults);
  faults.throwIfAny();
  if (database === null) throw new Error('unreported configuration error');
  return { database, dataDir };
}

/**
 * Loads only the locations of records and counters. Errors in other settings are ignored.
 *
 * @throws ConfigError
 */
export function loadLocations(
  processEnv: Environment,
  cwd: string,
): Pick<FixedConfig, 'database' | 'store' | 'dataDir'> {
  const faults = new Faults();
  const { dataDir, setting } = readStorageSettings(processEnv, cwd, ['TOLLGATE_DATABASE', 'TOLLGATE_STORE'], faults);
  const locations = readLocations(
    setting('database', DEFAULT_DATABASE),
    setting('store', DEFAULT_STORE),
    dataDir,
    faults,
  );
  faults.throwIfAny();
  if (locations === null) throw new Error('unreported configuration error');
  return { ...locations, dataDir };
}

function readStorageSettings(processEnv: Environment, cwd: string, variables: readonly string[], faults: Faults) {
  const env = withVariablesFromFiles(processEnv, variables, faults);
  let file: Pick<ConfigFile, 'referenced' | 'locate'> | undefined;
  function setting(name: 'database' | 'store', fallback: string): SettingText {
    const variable = `TOLLGATE_${name.toUpperCase()}`;
    if (env[variable]) return { text: env[variable], where: 'environment', name: variable };
    file ??= readStorageFile(env, cwd);
    return { text: file.referenced?.[name] ?? fallback, where: file.locate([name]), name };
  }
  return { dataDir: resolve(cwd, env['TOLLGATE_DATA_DIR'] || 'data'), setting };
}

/** @throws ConfigError if the file cannot be read */
function readStorageFile(env: Environment, cwd: string): Pick<ConfigFile, 'referenced' | 'locate'> {
  const faults = new Faults();
  const settings = readSettings(resolveConfigFile(env, cwd, faults), env, faults);
  if (settings.referenced === null) faults.throwIfAny();
  return settings;
}

const PET_STORE_MODULE = fileURLToPath(new URL('../petstore/upstream.ts', import.meta.url));

/** Makes the path of a module absolute. `petstore` names the built-in pet store; a file of this name is `./petstore`. */
function resolveModule(folder: string, module: string): string {
  return module === 'petstore' ? PET_STORE_MODULE : resolve(folder, module);
}

/** Makes the paths of certificates and keys absolute. */
function resolveFiles<Tls extends Readonly<Record<string, string | undefined>>>(
  tls: Tls | undefined,
  folder: string,
): { tls?: Tls } {
  if (tls === undefined) return {};
  const files = Object.entries(tls).filter(([, file]) => file !== undefined);
  return { tls: Object.fromEntries(files.map(([name, file = '']) => [name, resolve(folder, file)])) as Tls };
}

function collectWarnings({ name, prefix, document, service }: UpstreamConfig): readonly string[] {
  const { source, serverPaths } = document;
  return [...source.warnings, serverPathWarning(serverPaths, { name, prefix, ...service }) ?? []].flat();
}

/**
 * @returns null if no file is named or the file cannot be read; the code that opens the connection reports the error
 */
function readIfPresent(file: string | undefined): string | null {
  try {
    return file === undefined ? null : readConfiguredFile(file);
  } catch {
    return null;
  }
}

/**
 * The configuration file as far as it could be read. If it has errors, the later checks still run, so that all errors
 * are reported together.
 */
interface ConfigFile {
  readonly values: FileConfig | null;
  readonly written: Omit<Sources, 'env' | 'given'> | null;
  /** Null if the file could not be read. */
  readonly referenced: z.infer<typeof referencesSchema> | null;
  readonly locate: YamlFile['locate'];
}

function readSettings(file: string, env: Environment, faults: Faults, files?: VariableFiles): ConfigFile {
  const yaml = readYaml(file, faults);
  if (yaml === null) return { values: null, written: null, referenced: null, locate: () => file };
  const interpolated = interpolateVariables(yaml, env, faults, files);
  const parsed = configSchema.safeParse(interpolated, { reportInput: true });
  if (!parsed.success) faults.addZod(parsed.error, yaml.locate, listKnownSettings);
  checkAdminTokens(yaml, interpolated, env, faults);
  checkClientSecrets(yaml, faults);
  checkTexts(yaml, interpolated, faults);
  return {
    values: parsed.data ?? null,
    written: { yaml, filled: interpolated },
    referenced: referencesSchema.parse(Array.isArray(interpolated) ? {} : Object(interpolated)),
    locate: yaml.locate,
  };
}

/**
 * Reads the names of files and locations from a configuration that may have errors. It replaces invalid values without
 * an error, because `configSchema` reports them.
 */
const referencesSchema = z
  .object({
    database: z.string().catch(DEFAULT_DATABASE),
    store: z.string().catch(DEFAULT_STORE),
    plans: z.string().catch('plans.yaml'),
    upstreams: z
      .array(
        z
          .object({
            openapi: z.string().refine((file) => !isUrl(file)),
            prefix: z.string().catch(''),
            idPrefix: z.string().catch(''),
            events: z.boolean().optional().catch(undefined),
            overlays: z.array(z.string()).optional().catch(undefined),
            candidate: z
              .string()
              .refine((file) => !isUrl(file))
              .optional()
              .catch(undefined),
          })
          .nullable()
          .catch(null),
      )
      .catch([]),
  })
  .transform(({ upstreams, ...rest }) => ({ ...rest, documents: upstreams.filter((each) => each !== null) }));

/** Warns of scopes that are enforced without any effect. */
function findScopesWarnings({ name, scopes, document }: UpstreamConfig, acceptsTokens: boolean): readonly string[] {
  if (scopes !== 'enforce') return [];
  if (!acceptsTokens) return [`upstream ${name} has scopes: enforce, but no access tokens are accepted: set tokens`];
  if (readRequiredScopes(document).size > 0) return [];
  return [
    `upstream ${name} has scopes: enforce, but no operation in its document requires scopes: add security with scopes of ` +
      'a scheme of the type oauth2 or openIdConnect',
  ];
}

/** Warns of operations that allow larger bodies than the gateway checks. */
function createBodyWarning({ document, validation = 'off' }: UpstreamConfig, maxBytes: number): string | null {
  const [first, ...others] = document.operations.filter(
    (operation) => (operation.validation ?? validation) === 'enforce' && (operation.maxBodyBytes ?? 0) > maxBytes,
  );
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` (and ${others.length} more in this document)`;
  return (
    `${first.source}: ${first.method} ${first.path} has an x-tollgate-max-body above validation.maxBody${more}: ` +
    'JSON bodies above validation.maxBody are refused'
  );
}
