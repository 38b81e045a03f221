import { shown } from './constraints.ts';
import { type ApiDocument, asObject, asText, type JsonObject, referencedName } from './document.ts';
import { readSchema } from './schema.ts';

/** @param type a media type */
export function isXml(type: string): boolean {
  return /^[^;]*[/+]xml\b/.test(type);
}

/** A value as an XML document: elements and attributes are named as the `xml` objects of its schemas say. */
export function xmlText(document: ApiDocument, schema: unknown, value: unknown): string {
  const name = referencedName(schema)?.split('.').at(-1) ?? 'root';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elements(document, schema, value, name).join('\n')}`;
}

/** The lines of an element; of a list that is not wrapped, those of several. */
function elements(document: ApiDocument, schema: unknown, value: unknown, usual: string): readonly string[] {
  const { items, properties, raw } = readSchema(document, schema);
  const xml = asObject(raw['xml']);
  const name = nameIn(xml, usual);
  const tag = name + namespaceOf(xml);
  if (Array.isArray(value)) {
    const inside = value.flatMap((each) => elements(document, items, each, xml['wrapped'] === true ? name : usual));
    return xml['wrapped'] === true || usual === 'root' ? [`<${tag}>`, ...indented(inside), `</${name}>`] : inside;
  }
  if (typeof value !== 'object' || value === null) return [`<${tag}>${escaped(shown(value ?? ''))}</${name}>`];
  const fields = Object.entries(value as JsonObject).map(([field, each]) => {
    const inner = properties.find((property) => property.name === field)?.schema ?? {};
    return { field, each, inner, xml: asObject(readSchema(document, inner).raw['xml']) };
  });
  const isAttribute = (field: (typeof fields)[number]) => field.xml['attribute'] === true;
  const attributes = fields
    .filter(isAttribute)
    .map(({ field, each, xml: own }) => ` ${nameIn(own, field)}="${escaped(shown(each))}"`);
  const inside = fields
    .filter((field) => !isAttribute(field))
    .flatMap(({ field, each, inner }) => elements(document, inner, each, field));
  return [`<${tag}${attributes.join('')}>`, ...indented(inside), `</${name}>`];
}

function nameIn(xml: JsonObject, usual: string): string {
  const name = (asText(xml['name']) ?? usual).replaceAll(/[^\w.-]/g, '_');
  const prefix = asText(xml['prefix']);
  return prefix === null ? name : `${prefix.replaceAll(/[^\w.-]/g, '_')}:${name}`;
}

function namespaceOf(xml: JsonObject): string {
  const [namespace, prefix] = [asText(xml['namespace']), asText(xml['prefix'])];
  return namespace === null ? '' : ` xmlns${prefix === null ? '' : `:${prefix}`}="${escaped(namespace)}"`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
