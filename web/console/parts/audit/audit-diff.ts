export interface Difference {
  /** The path of the field, with dots between the names. */
  readonly field: string;
  /** Undefined if there was no value. */
  readonly before?: unknown;
  readonly after?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are not listed, because they never change or the row shows them anyway. */
const UNTOLD = new Set(['id', 'keyId', 'createdAt', 'prefix', 'lastFour', 'quotaId', 'lastUsedAt']);

export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * Finds the fields in which two states differ, in the order of the later one. New fields that are null or empty are
 * left out.
 */
export function findDifferences(before: Fields | null, after: Fields | null): readonly Difference[] {
  const [was, is] = [flat(before ?? {}), flat(after ?? {})];
  const fields = [...new Set([...is.keys(), ...was.keys()])];
  return fields
    .filter((field) => !UNTOLD.has(field) && JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field)))
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter(({ before: from, after: to }) => !(isNothing(from) && isNothing(to)));
}

export function formatValue(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value !== 'string') return JSON.stringify(value);
  return ISO_TIME.test(value) ? `${value.slice(0, 16).replace('T', ' ')} UTC` : value;
}

function flat(fields: Fields, prefix = ''): ReadonlyMap<string, unknown> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const field = prefix + name;
    return isFields(value) ? [...flat(value, `${field}.`)] : [[field, value]];
  });
  return new Map(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
