import { readFileSync } from 'node:fs';
import type { Environment } from './environment.ts';
import type { Faults } from '../base/configuration-faults.ts';

/** A variable or, if it is not set, the content of the file that `NAME_FILE` names. Undefined if neither is set. */
export function readVariable(env: Environment, name: string, faults: Faults): string | undefined {
  const [value, file] = [own(env, name), own(env, `${name}_FILE`)];
  if (value || !file) return value;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    faults.add('environment', `${name}_FILE`, `names ${file}, which cannot be read (${code})`);
    return undefined;
  }
}

/** Not what `process.env` inherits, such as `constructor`. */
function own(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}

/** The environment, with these variables read from their files if only `NAME_FILE` is set. */
export function withFiles(env: Environment, names: readonly string[], faults: Faults): Environment {
  return { ...env, ...Object.fromEntries(names.map((name) => [name, readVariable(env, name, faults)])) };
}
