import { z } from 'zod';
import { readConfiguredFile } from '../base/configured-file.ts';
import { findTokenFault } from '../base/secrets.ts';
import type { Faults } from '../base/configuration-faults.ts';
import type { VariableFiles } from './loaded-files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The minimum severity of logged lines. */
export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

const port = z
  .string()
  .regex(
    /^\d{1,5}$/,
    'must be a port, 0 to 65535. In Kubernetes, a Service named tollgate sets this variable: set enableServiceLinks: false in the pod spec',
  )
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port, 0 to 65535');

/** A token for the admin API. */
export const adminToken = z.string().superRefine((token, context) => {
  const message = findTokenFault(token);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/**
 * Variables that a reload reads again. While a process runs, only the value of a variable that comes from a file can
 * change.
 */
export const reloadableVariables = {
  TOLLGATE_ADMIN_TOKEN: adminToken.optional(),
  TOLLGATE_LOG_LEVEL: logLevel.optional(),
};

export const variables = z.object({
  TOLLGATE_CONFIG: z.string().optional(),
  TOLLGATE_HOST: z.string().default('127.0.0.1'),
  TOLLGATE_PORT: port.prefault('8080'),
  TOLLGATE_ADMIN_HOST: z.string().default('127.0.0.1'),
  TOLLGATE_ADMIN_PORT: port.prefault('8081'),
  TOLLGATE_PORTAL_HOST: z.string().default('127.0.0.1'),
  TOLLGATE_PORTAL_PORT: port.prefault('8082'),
  TOLLGATE_DATABASE: z.string().optional(),
  TOLLGATE_STORE: z.string().optional(),
  TOLLGATE_DATA_DIR: z.string().default('data'),
  ...reloadableVariables,
});

type EnvironmentVariables = z.infer<typeof variables>;

/** Reads the `TOLLGATE_*` variables. An empty variable counts as not set. */
export function readEnvironment(env: Environment, faults: Faults): EnvironmentVariables | null {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  for (const name of Object.keys(nonEmptyVariables)) {
    if (
      name.startsWith('TOLLGATE_') &&
      !(name in variables.shape) &&
      !OTHER_VARIABLES.has(name) &&
      !SERVICE_LINK_PATTERN.test(name)
    ) {
      faults.add('environment', name, 'is not a Tollgate variable: check the spelling, or unset it');
    }
  }
  const parsed = variables.safeParse(nonEmptyVariables, { reportInput: true });
  if (parsed.success) return parsed.data;
  faults.addZod(parsed.error, () => 'environment');
  return null;
}

const WILDCARD_HOSTS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Refuses two listeners on the same port of the same host, because the system's own error would blame another process.
 * Several listeners may have port 0, because each of them gets a free port.
 */
export function refuseSharedPorts(variables: EnvironmentVariables | null, hasPortal: boolean, faults: Faults): void {
  if (variables === null) return;
  const listeners = [
    ['TOLLGATE_PORT', variables.TOLLGATE_HOST],
    ['TOLLGATE_ADMIN_PORT', variables.TOLLGATE_ADMIN_HOST],
    ...(hasPortal ? [['TOLLGATE_PORTAL_PORT', variables.TOLLGATE_PORTAL_HOST] as const] : []),
  ] as const;
  for (const [index, [name, host]] of listeners.entries()) {
    const port = variables[name];
    const sharesPort = ([otherName, otherHost]: (typeof listeners)[number]) =>
      variables[otherName] === port &&
      (otherHost === host || WILDCARD_HOSTS.has(otherHost) || WILDCARD_HOSTS.has(host));
    const [firstName] = listeners.slice(0, index).find(sharesPort) ?? [];
    if (port !== 0 && firstName !== undefined) {
      faults.add('environment', name, `is ${port}, as is ${firstName}: give each listener its own port`);
    }
  }
}

/** Variables that Kubernetes sets in every pod if there is a Service named tollgate. */
const SERVICE_LINK_PATTERN = /^TOLLGATE_(?:SERVICE_|PORT_\d)/;

/**
 * Variables that can hold a secret. Instead of such a variable, a variable with the suffix `_FILE` can name a file with
 * the value.
 */
export const VARIABLES_WITH_FILES = ['TOLLGATE_ADMIN_TOKEN', 'TOLLGATE_DATABASE', 'TOLLGATE_STORE'];

/** Other known variables: those of the command line, and those that name a file with the value. */
const OTHER_VARIABLES = new Set([
  'TOLLGATE_ADMIN_URL',
  'TOLLGATE_ADMIN_TOKEN_FILE',
  'TOLLGATE_DATABASE_FILE',
  'TOLLGATE_STORE_FILE',
]);

/**
 * Reads a variable or, if it is not set, the file that `NAME_FILE` names. Undefined if neither is set.
 *
 * @param files gets the file that was read
 */
export function readVariable(
  env: Environment,
  name: string,
  faults: Faults,
  files?: VariableFiles,
): string | undefined {
  const [value, file] = [getOwn(env, name), getOwn(env, `${name}_FILE`)];
  if (value || !file) return value;
  try {
    const content = readConfiguredFile(file).trim();
    files?.set(name, { path: file, value: content });
    return content;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    faults.add('environment', `${name}_FILE`, `names ${file}, which cannot be read (${code})`);
    return undefined;
  }
}

/** The value of a variable. A name that every object inherits, such as `constructor`, is not a variable. */
function getOwn(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

/** Returns the environment with these variables read from files where only `NAME_FILE` is set. */
export function withVariablesFromFiles(
  env: Environment,
  names: readonly string[],
  faults: Faults,
  files?: VariableFiles,
): Environment {
  return { ...env, ...Object.fromEntries(names.map((name) => [name, readVariable(env, name, faults, files)])) };
}
