import { canonicalNumber, ExactNumber } from './decimal.ts';
import type { JsonValue } from './read-json.ts';

/** One text for all JSON values that are equal. The order of members and the spelling of numbers do not matter. */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(value);
  if (value instanceof Map) {
    const names = [...(value.keys() as Iterable<string>)].sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value.get(name) as JsonValue)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  return JSON.stringify(value);
}

/** A value of the document in the form in which the values of requests are read. */
export function toJsonValue(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([name, member]) => [name, toJsonValue(member)]));
  }
  return value as JsonValue;
}
