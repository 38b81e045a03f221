const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const ONE_VARIABLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** Whether a value of the configuration is a variable and nothing else: a secret that is not in the file. */
export function isVariable(value: unknown): boolean {
  return typeof value === 'string' && ONE_VARIABLE.test(value);
}

/** Replaces `${NAME}` in every string of a YAML value with that variable; calls `missing` for unset ones. */
export function interpolate(
  value: unknown,
  lookUp: (name: string) => string | undefined,
  missing: (path: readonly PropertyKey[], name: string) => void,
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_, name: string) => {
      const replacement = lookUp(name);
      if (replacement === undefined) missing(path, name);
      return replacement ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((item, index) => interpolate(item, lookUp, missing, [...path, index]));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, interpolate(item, lookUp, missing, [...path, key])]),
    );
  }
  return value;
}
