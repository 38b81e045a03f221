import { tableOf } from '../../base/table-of.ts';

const MAX_LISTED = 10;
const MAX_TEXT = 200;

/** Lists values of the document, and at most the first ten. */
export function listValues(values: readonly unknown[]): string {
  const listed = values
    .slice(0, MAX_LISTED)
    .map((value) => shorten(typeof value === 'string' ? value : JSON.stringify(value)));
  return values.length > MAX_LISTED ? `${listed.join(', ')}, …` : listed.join(', ');
}

export function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

const TYPES = tableOf({
  object: 'an object',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
});

export function describeTypes(types: readonly unknown[]): string {
  return types.map((type) => TYPES.get(String(type)) ?? String(type)).join(' or ');
}
