import { toPrintable } from '../../base/text.ts';

const MAX_LENGTH = 60;
const MAX_VALUES = 5;

/** A name or value of a document for a message: printable, and not too long. */
export function nameValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const printable = toPrintable(text.slice(0, MAX_LENGTH));
  return text.length > MAX_LENGTH ? `${printable}…` : printable;
}

/** Several values for a message. Only the first of many are named. */
export function nameAll(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_VALUES).map(nameValue).join(', ');
  return values.length > MAX_VALUES ? `${named} and ${values.length - MAX_VALUES} more` : named;
}
