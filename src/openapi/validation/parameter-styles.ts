/**
 * The styles of OpenAPI (3.1.1, 4.8.12), by the place of a parameter. Each turns the undecoded text of a request into
 * the texts of a value. A text is divided before it is decoded, because an encoded delimiter is data.
 */

/** A parameter's value: a text, a list of texts, or texts by name. */
export type Shape =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, string> };

export type Kind = Shape['kind'];
export type Place = 'path' | 'query' | 'header' | 'cookie';
export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

export const STYLES: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** How a parameter is written. */
export interface Notation {
  readonly name: string;
  readonly place: Place;
  readonly style: Style;
  readonly explode: boolean;
  /** The names of an object's properties, as far as the document declares them. */
  readonly propertyNames: ReadonlySet<string>;
}

/** Undecoded texts by decoded name, in the order of the request. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** The message says what is wrong with the text of a value, as the end of a sentence. */
export class StyleFault extends Error {}

/**
 * Reads a value of a path, whose parameters are never absent.
 *
 * @throws StyleFault
 */
export function readPathValue(raw: string, kind: Kind, notation: Notation): Shape[] {
  const { name, style, explode } = notation;
  if (style === 'simple') return [divided(raw, kind, ',', explode ? ',' : null)];
  if (style === 'label') {
    if (!raw.startsWith('.')) throw new StyleFault('must begin with a dot (style label)');
    const rest = raw.slice(1);
    if (kind === 'text') return [textShape(rest)];
    if (explode) return [divided(rest, kind, '.', '.')];
    // The examples of OpenAPI 3.0 have dots where those of 3.1 and RFC 6570 have commas.
    const delimiters = rest.includes(',') ? [','] : kind === 'map' ? ['.'] : ['.', ','];
    return delimiters.map((delimiter) => divided(rest, kind, delimiter, null));
  }
  if (!raw.startsWith(';')) throw new StyleFault('must begin with a semicolon (style matrix)');
  const rest = raw.slice(1);
  if (kind === 'map' && explode) return [divided(rest, kind, ';', ';')];
  const parts = rest.split(';').map((part) => {
    const [own = '', ...values] = part.split('=');
    if (decode(own) !== name) throw new StyleFault(`must be written as ;${name}=… (style matrix)`);
    return values.join('=');
  });
  if (kind === 'list' && explode) return [{ kind, texts: parts.map(decode) }];
  if (parts.length > 1) throw new StyleFault('must be given only once');
  return [divided(parts[0] ?? '', kind, ',', null)];
}

/**
 * Reads a value of the query, or of cookies.
 *
 * @returns null if the parameter is absent
 * @throws StyleFault
 */
export function readFormValue(fields: Fields, kind: Kind, notation: Notation): Shape[] | null {
  const { name, style, explode, propertyNames } = notation;
  if (style === 'deepObject') return readDeepObject(fields, name);
  if (kind === 'map' && explode) {
    const entries = new Map<string, string>();
    for (const property of propertyNames) {
      const values = fields.get(property);
      if (values === undefined) continue;
      if (values.length > 1) throw new StyleFault(`must have ${property} only once`);
      entries.set(property, decodeField(values[0] ?? ''));
    }
    return entries.size === 0 ? null : [{ kind, entries }];
  }
  const values = fields.get(name);
  if (values === undefined) return null;
  if (kind === 'list' && explode) return [{ kind, texts: values.map(decodeField) }];
  if (values.length > 1) throw new StyleFault('must be given only once');
  const [raw = ''] = values;
  if (kind === 'text') return [{ kind, text: decodeField(raw) }];
  if (raw === '') return [kind === 'list' ? { kind, texts: [] } : { kind, entries: new Map() }];
  if (style === 'spaceDelimited') return [joined(raw.split(/%20|[+ ]/), kind, decodeField)];
  if (style === 'pipeDelimited') return [joined(raw.split(/%7[Cc]|\|/), kind, decodeField)];
  // Many clients encode the commas between the values, too.
  const isEncoded = !raw.includes(',') && /%2[Cc]/.test(raw);
  const strict = joined(raw.split(','), kind, decodeField);
  return isEncoded ? [joined(raw.split(/%2[Cc]/), kind, decodeField), strict] : [strict];
}

function readDeepObject(fields: Fields, name: string): Shape[] | null {
  const entries = new Map<string, string>();
  for (const [field, values] of fields) {
    if (!field.startsWith(`${name}[`) || !field.endsWith(']')) continue;
    const property = field.slice(name.length + 1, -1);
    // OpenAPI does not define how lists and objects within the object are written.
    if (/[[\]]/.test(property) || property === '' || values.length > 1) return null;
    entries.set(property, decodeField(values[0] ?? ''));
  }
  return entries.size === 0 ? null : [{ kind: 'map', entries }];
}

/** Reads the values of header fields of one name. Headers are not percent-encoded. */
export function readHeaderValue(values: readonly string[], kind: Kind, { explode }: Notation): Shape[] {
  const text = values.join(', ');
  if (kind === 'text') return [{ kind, text }];
  const texts = text === '' ? [] : text.split(',').map((part) => part.trim());
  return [kind === 'map' && explode ? assigned(texts, (part) => part) : joined(texts, kind, (part) => part)];
}

/** @param assigned the delimiter of members that are written as `name=value`; null if names and values take turns */
function divided(raw: string, kind: Kind, delimiter: string, assignedBy: string | null): Shape {
  if (kind === 'text') return textShape(raw);
  if (raw === '') return kind === 'list' ? { kind, texts: [] } : { kind, entries: new Map() };
  if (kind === 'map' && assignedBy !== null) return assigned(raw.split(assignedBy), decode);
  return joined(raw.split(delimiter), kind, decode);
}

function textShape(raw: string): Shape {
  return { kind: 'text', text: decode(raw) };
}

function joined(parts: readonly string[], kind: Kind, toText: (raw: string) => string): Shape {
  const texts = parts.map(toText);
  if (kind === 'list') return { kind, texts };
  if (texts.length % 2 === 1) throw new StyleFault('must have a value for each name, separated in turn');
  const entries = new Map<string, string>();
  for (let at = 0; at < texts.length; at += 2) addOnce(entries, texts[at] ?? '', texts[at + 1] ?? '');
  return { kind: 'map', entries };
}

function assigned(parts: readonly string[], toText: (raw: string) => string): Shape {
  const entries = new Map<string, string>();
  for (const part of parts) {
    const at = part.indexOf('=');
    if (at === -1) throw new StyleFault('must have members of the form name=value');
    addOnce(entries, toText(part.slice(0, at)), toText(part.slice(at + 1)));
  }
  return { kind: 'map', entries };
}

function addOnce(entries: Map<string, string>, name: string, text: string): void {
  if (entries.has(name)) throw new StyleFault('must not have the same name twice');
  entries.set(name, text);
}

/** @throws StyleFault */
function decode(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new StyleFault('must be percent-encoded UTF-8');
  }
}

/** Forms write a space as `+`. */
function decodeField(raw: string): string {
  return decode(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}

/** @param query the text after `?` */
export function readQuery(query: string): Fields {
  const fields = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    addField(fields, decodeName(at === -1 ? part : part.slice(0, at)), at === -1 ? '' : part.slice(at + 1));
  }
  return fields;
}

/** @param headers the values of the `Cookie` headers */
export function readCookies(headers: readonly string[]): Fields {
  const fields = new Map<string, string[]>();
  for (const part of headers.flatMap((header) => header.split(';'))) {
    const at = part.indexOf('=');
    if (at === -1) continue;
    const value = part.slice(at + 1).trim();
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    // A plus sign in a cookie is a plus sign.
    const raw = (isQuoted ? value.slice(1, -1) : value).replaceAll('+', '%2B');
    addField(fields, part.slice(0, at).trim(), raw);
  }
  return fields;
}

/**
 * The fields that cookies hold if each may have several, with `&` between them. OpenAPI's examples of exploded lists and
 * objects are written like that.
 */
export function splitCookies(cookies: Fields): Fields {
  return readQuery(Array.from(cookies, ([name, texts]) => texts.map((raw) => `${name}=${raw}`).join('&')).join('&'));
}

/** A name with invalid escapes is no declared name, so it is left as it is. */
function decodeName(raw: string): string {
  try {
    return decodeField(raw);
  } catch {
    return raw;
  }
}

function addField(fields: Map<string, string[]>, name: string, raw: string): void {
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [raw]);
  else values.push(raw);
}
