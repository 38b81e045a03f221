import { formatPath, type Faults } from '../base/configuration-faults.ts';
import { findTextFaults } from '../base/text.ts';
import type { YamlFile } from '../base/yaml.ts';
import { type Environment, readVariable } from './environment.ts';
import type { VariableFiles } from './loaded-files.ts';

const VARIABLE_PATTERN = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const ONLY_VARIABLE_PATTERN = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/**
 * Whether a value of the configuration is exactly one variable. A secret must be written like this, so that it is not
 * in the file.
 */
export function isVariable(value: unknown): boolean {
  return typeof value === 'string' && ONLY_VARIABLE_PATTERN.test(value);
}

/**
 * Returns the values of a file with variables replaced. An unset variable is an error.
 *
 * @param files gets the files that variables were read from
 */
export function interpolateVariables(yaml: YamlFile, env: Environment, faults: Faults, files?: VariableFiles): unknown {
  const lookUp = (name: string) => readVariable(env, name, faults, files);
  return interpolate(yaml.value, lookUp, (path, name) =>
    faults.addUnread(
      yaml.locate(path),
      formatPath(path),
      `names the variable ${name}, which is not set: set it in the environment`,
    ),
  );
}

/**
 * Replaces `${NAME}` in every string of a YAML value with the value of that variable. Calls `missing` for each variable
 * that is not set.
 */
function interpolate(
  value: unknown,
  lookUp: (name: string) => string | undefined,
  onMissing: (path: readonly PropertyKey[], name: string) => void,
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE_PATTERN, (_, name: string) => {
      const replacement = lookUp(name);
      if (replacement === undefined) onMissing(path, name);
      return replacement ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((item, index) => interpolate(item, lookUp, onMissing, [...path, index]));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, interpolate(item, lookUp, onMissing, [...path, key])]),
    );
  }
  return value;
}

/** @param interpolated the values of the file with variables replaced */
export function checkTexts(yaml: YamlFile, interpolated: unknown, faults: Faults): void {
  for (const { at, message } of findTextFaults(interpolated)) faults.add(yaml.locate(at), formatPath(at), message);
}
