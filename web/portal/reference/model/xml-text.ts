import { formatValue } from './constraints.ts';
import { type ApiDocument, asObject, asText, type JsonObject, referencedName } from './document.ts';
import { chosenVariant, MAX_DEPTH, type Variants } from './sample-value.ts';
import { readSchema, type SchemaView } from './schema.ts';

/**
 * True if a media type is XML.
 *
 * @param type a media type
 */
export function isXml(type: string): boolean {
  return /^[^;]*[/+]xml\b/.test(type);
}

/**
 * Formats a value as an XML document. The `xml` objects of its schemas determine the names of elements and attributes.
 */
export function xmlText(document: ApiDocument, schema: unknown, value: unknown, variants: Variants): string {
  const lines = new Writer(document, variants).elements(schema, value, { usual: null, isOutermost: true });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}`;
}

interface Place {
  /** The name of the element, if its schema sets none. If it is null, too, the element is named like the schema. */
  readonly usual: string | null;
  readonly isOutermost: boolean;
}

class Writer {
  readonly #document: ApiDocument;
  readonly #variants: Variants;

  constructor(document: ApiDocument, variants: Variants) {
    this.#document = document;
    this.#variants = variants;
  }

  /** Formats an element, or several elements for a list that is not wrapped. Returns lines. */
  elements(schema: unknown, value: unknown, { usual, isOutermost }: Place): readonly string[] {
    const { items, properties, raw, name: named } = this.#read(schema);
    const xml = asObject(raw['xml']);
    const name = nameIn(xml, usual ?? named?.split('.').at(-1) ?? 'root');
    const tag = name + formatNamespace(xml);
    if (Array.isArray(value)) {
      // A document has a single root element, so a list at the outermost level is always wrapped.
      const isWrapped = xml['wrapped'] === true || isOutermost;
      const of = isOutermost && referencedName(items) !== null ? null : isWrapped ? name : usual;
      const inside = value.flatMap((each) => this.elements(items, each, { usual: of, isOutermost: false }));
      return isWrapped ? [`<${tag}>`, ...indented(inside), `</${name}>`] : inside;
    }
    if (typeof value !== 'object' || value === null) return [`<${tag}>${escaped(formatValue(value ?? ''))}</${name}>`];
    const fields = Object.entries(value as JsonObject).map(([field, each]) => {
      const inner = properties.find((property) => property.name === field)?.schema ?? {};
      return { field, each, inner, xml: asObject(this.#read(inner).raw['xml']) };
    });
    const isAttribute = (field: (typeof fields)[number]) => field.xml['attribute'] === true;
    const attributes = fields
      .filter(isAttribute)
      .map(({ field, each, xml: own }) => ` ${nameIn(own, field)}="${escaped(formatValue(each ?? ''))}"`);
    const inside = fields
      .filter((field) => !isAttribute(field))
      .flatMap(({ field, each, inner }) => this.elements(inner, each, { usual: field, isOutermost: false }));
    return [`<${tag}${attributes.join('')}>`, ...indented(inside), `</${name}>`];
  }

  /** Reads a schema. If it has variants, reads the one that is shown. */
  #read(schema: unknown): SchemaView {
    let view = readSchema(this.#document, schema);
    for (let depth = 0; view.choices !== null && depth < MAX_DEPTH; depth++) {
      const inner = readSchema(this.#document, chosenVariant(view.choices, this.#variants));
      const name = view.name ?? inner.name ?? referencedName({ $ref: inner.reference });
      view = { ...inner, name, raw: { ...inner.raw, xml: view.raw['xml'] ?? inner.raw['xml'] } };
    }
    return view;
  }
}

function nameIn(xml: JsonObject, usual: string): string {
  const name = xmlName(asText(xml['name']) ?? usual);
  const prefix = asText(xml['prefix']);
  return prefix === null ? name : `${xmlName(prefix)}:${name}`;
}

function xmlName(text: string): string {
  const name = text.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

function formatNamespace(xml: JsonObject): string {
  const [namespace, prefix] = [asText(xml['namespace']), asText(xml['prefix'])];
  if (namespace === null) return '';
  return ` xmlns${prefix === null ? '' : `:${xmlName(prefix)}`}="${escaped(namespace)}"`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
