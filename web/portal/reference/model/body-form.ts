import { type ApiDocument, asObject, asText, type JsonObject } from './document.ts';
import { readSchema } from './schema.ts';

/** The way in which the user enters a body: as text, in a field for each part, or by selecting a file. */
export type BodyForm =
  | { readonly kind: 'text' }
  | { readonly kind: 'file'; readonly fileName: string }
  | { readonly kind: 'form' | 'multipart'; readonly fields: readonly FormField[] };

export interface FormField {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly description: string | null;
  readonly isFile: boolean;
  /** True if the value is a list. The field then has one value per line. */
  readonly isList: boolean;
  /** True if the value is JSON. */
  readonly isJson: boolean;
  readonly isExploded: boolean;
  readonly isDeepObject: boolean;
  /** The media type of the field. Null if the document names none. */
  readonly type: string | null;
  /** The name of the file in samples. */
  readonly fileName: string;
}

const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/png/, 'png'],
  [/jpe?g|^image\//, 'jpg'],
  [/pdf/, 'pdf'],
  [/csv/, 'csv'],
  [/zip/, 'zip'],
  [/json/, 'json'],
  [/^text\//, 'txt'],
];

/**
 * Finds out how the user enters a body of a media type.
 *
 * @param media a media type object, with its references resolved
 */
export function readForm(document: ApiDocument, type: string, media: JsonObject): BodyForm {
  const [essence = ''] = type.toLowerCase().split(';', 1);
  if (essence === 'application/x-www-form-urlencoded' || essence.startsWith('multipart/')) {
    const isMultipart = essence.startsWith('multipart/');
    const encoding = asObject(media['encoding']);
    const { properties } = readSchema(document.without('readOnly'), media['schema']);
    const fields = properties.map((each) => readField(document, each, asObject(encoding[each.name])));
    return { kind: isMultipart ? 'multipart' : 'form', fields };
  }
  return isBinary(document, media['schema']) ||
    /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip)/.test(essence)
    ? { kind: 'file', fileName: createFileName('file', essence) }
    : { kind: 'text' };
}

interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
}

function readField(document: ApiDocument, { name, required, schema }: Property, encoding: JsonObject): FormField {
  const { types, items, description, properties } = readSchema(document, schema);
  const isFile = isBinary(document, schema) || isBinary(document, items);
  const type = asText(encoding['contentType']);
  const isDeepObject = encoding['style'] === 'deepObject';
  return {
    name,
    required,
    schema,
    description,
    isFile,
    isList: types.includes('array'),
    isJson: types.includes('object') || properties.length > 0 || type?.includes('json') === true,
    isExploded: encoding['explode'] !== false,
    isDeepObject,
    type: isFile ? (type?.split(',', 1)[0]?.trim() ?? null) : type,
    fileName: createFileName(name, type ?? ''),
  };
}

function isBinary(document: ApiDocument, schema: unknown): boolean {
  if (schema === undefined) return false;
  const { raw, types } = readSchema(document, schema);
  if (types.length > 0 && !types.includes('string')) return false;
  return (
    raw['format'] === 'binary' || (asText(raw['contentMediaType']) !== null && raw['contentEncoding'] === undefined)
  );
}

function createFileName(name: string, type: string): string {
  const extension = EXTENSIONS.find(([pattern]) => pattern.test(type))?.[1] ?? 'bin';
  return `${name.replaceAll(/[^\w-]+/g, '-').replace(/^-+/, '') || 'file'}.${extension}`;
}
