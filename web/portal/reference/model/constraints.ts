import { type ApiDocument, asList, type JsonObject, referencedName } from './document.ts';
import { readSchema, type SchemaView } from './schema.ts';

const SIMPLE: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/**
 * Describes a type in words: "integer (int64)", "list of Pet", "string or null". If only one value is allowed, returns
 * "always" and the value.
 */
export function typeWords(document: ApiDocument, view: SchemaView): string {
  const { const: only } = view.raw;
  if (only !== undefined) return view.nullable ? `${JSON.stringify(only)} or null` : `always ${JSON.stringify(only)}`;
  const words = view.choices === null ? plainWords(document, view) : view.choices.of.map(({ name }) => name);
  return [...(words.length === 0 ? ['anything'] : words), ...(view.nullable ? ['null'] : [])].join(' or ');
}

function plainWords(document: ApiDocument, { types, raw, items }: SchemaView): readonly string[] {
  const format = typeof raw['format'] === 'string' ? ` (${raw['format']})` : '';
  return types.map((type) => (type === 'array' ? `list of ${itemWords(document, items)}` : `${type}${format}`));
}

function itemWords(document: ApiDocument, items: unknown): string {
  // Read the type only, not the entries of a list in the list, so that schemas which refer to themselves end.
  const { types, raw } = readSchema(document, items);
  const simple = types.length > 0 && types.every((type) => SIMPLE.has(type));
  // Names of schemas for strings and numbers are left out, because the page explains them nowhere else.
  const name = simple ? null : referencedName(items);
  if (name !== null) return name;
  if (types.length === 0) return 'anything';
  return `${types.join(' or ')}${simple && typeof raw['format'] === 'string' ? ` (${raw['format']})` : ''}`;
}

/** Describes the constraints of a value, except for its type. */
export function constraintWords(raw: JsonObject): readonly string[] {
  return [
    range(raw),
    amount(raw, 'minLength', 'maxLength', 'character'),
    amount(raw, 'minItems', 'maxItems', 'entry', 'entries'),
    amount(raw, 'minProperties', 'maxProperties', 'field'),
    raw['uniqueItems'] === true ? 'unique entries' : null,
    raw['multipleOf'] === undefined ? null : `a multiple of ${formatValue(raw['multipleOf'])}`,
    typeof raw['pattern'] === 'string' ? `matches ${raw['pattern']}` : null,
    raw['default'] === undefined ? null : `default: ${formatValue(raw['default'])}`,
    raw['readOnly'] === true ? 'only in responses' : null,
    raw['writeOnly'] === true ? 'only in requests' : null,
    raw['deprecated'] === true ? 'deprecated' : null,
  ].filter((words) => words !== null);
}

/** Formats the allowed values, if the schema lists them. */
export function allowedValues(raw: JsonObject): readonly string[] {
  if (raw['const'] !== undefined) return [formatValue(raw['const'])];
  return [...new Set(asList(raw['enum']).map(formatValue))];
}

/** Formats a value as JSON, but strings without quotes. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Formats the range of a number. In OpenAPI 3.0, an exclusive bound is a boolean beside the bound. In 3.1, it is the
 * bound itself.
 */
function range(raw: JsonObject): string | null {
  const low = bound(raw['minimum'], raw['exclusiveMinimum']);
  const high = bound(raw['maximum'], raw['exclusiveMaximum']);
  if (low === null && high === null) return null;
  if (low !== null && high !== null && !low.exclusive && !high.exclusive) return `${low.at} to ${high.at}`;
  const words = [
    low === null ? null : `${low.exclusive ? 'more than' : 'at least'} ${low.at}`,
    high === null ? null : `${high.exclusive ? 'less than' : 'at most'} ${high.at}`,
  ];
  return words.filter((each) => each !== null).join(', ');
}

function bound(inclusive: unknown, exclusive: unknown): { readonly at: number; readonly exclusive: boolean } | null {
  if (typeof exclusive === 'number') return { at: exclusive, exclusive: true };
  return typeof inclusive === 'number' ? { at: inclusive, exclusive: exclusive === true } : null;
}

function amount(raw: JsonObject, min: string, max: string, one: string, many = `${one}s`): string | null {
  const [least, most] = [raw[min], raw[max]];
  const of = (count: unknown) => (count === 1 ? one : many);
  if (least === undefined || least === 0) return most === undefined ? null : `at most ${formatValue(most)} ${of(most)}`;
  if (most === undefined) return `at least ${formatValue(least)} ${of(least)}`;
  return least === most
    ? `${formatValue(least)} ${of(least)}`
    : `${formatValue(least)} to ${formatValue(most)} ${many}`;
}
