import { formatPointerStep, isObject, type JsonObject } from '../../base/json.ts';
import { mediaTypeEssence, isJsonType } from './media-types.ts';
import {
  type Fields,
  type Kind,
  type Notation,
  type Place,
  readCookies,
  readFormValue,
  readHeaderValue,
  readPathValue,
  readQuery,
  type Shape,
  splitCookies,
  type Style,
  StyleFault,
  STYLES,
} from './parameter-styles.ts';
import { objectAt } from '../components.ts';
import { JsonFault, type JsonValue, readJsonText, toNumber, type TypeName } from './read-json.ts';
import { Run, TooComplex } from './run.ts';
import type { SchemaNode, SchemaSet } from './schema-set.ts';
import type { RequestHead, Violation } from './validation.ts';

/** A request's head, of which each part is read when a parameter first needs it. */
export class HeadReader {
  readonly head: RequestHead;
  #query: Fields | null = null;
  #cookies: Fields | null = null;

  constructor(head: RequestHead) {
    this.head = head;
  }

  get query(): Fields {
    return (this.#query ??= readQuery(this.head.query));
  }

  get cookies(): Fields {
    return (this.#cookies ??= readCookies(this.headerValues('cookie')));
  }

  /** @param name in lower case */
  headerValues(name: string): readonly string[] {
    const { rawHeaders } = this.head;
    const values: string[] = [];
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const own = rawHeaders[at] ?? '';
      // Comparing lengths first rules out most headers.
      if (own.length === name.length && own.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
    }
    return values;
  }
}

/** Headers that parameters cannot describe (OpenAPI 3.1.1, 4.8.12.1). */
const OTHER_HEADERS = new Set(['accept', 'content-type', 'authorization']);
/** A head is short, so its values need few steps. */
const MAX_STEPS_PER_PARAMETER = 20_000;

export type CheckParameter = (reader: HeadReader) => readonly Violation[];

interface Described {
  readonly name: string;
  readonly place: Place;
  readonly isRequired: boolean;
  readonly allowsEmpty: boolean;
}

/** The schema of a parameter; null if its values are not described by one. */
export function parameterSchema(
  parameter: JsonObject,
): { readonly schema: unknown; readonly steps: readonly string[] } | null {
  if (parameter['schema'] !== undefined) return { schema: parameter['schema'], steps: ['schema'] };
  for (const [type, media] of Object.entries(objectAt(parameter, 'content'))) {
    if (!isObject(media) || media['schema'] === undefined || !isJsonType(mediaTypeEssence(type))) continue;
    return { schema: media['schema'], steps: ['content', type, 'schema'] };
  }
  return null;
}

/** Why a parameter cannot be checked, as the end of a sentence; null if it can be. */
export function parameterFault({ name, in: place, style }: JsonObject): string | null {
  if (typeof name !== 'string') return 'must have a name';
  if (typeof place !== 'string' || !Object.hasOwn(STYLES, place)) return 'must be in path, query, header or cookie';
  const styles: readonly unknown[] = STYLES[place as Place];
  if (style !== undefined && !styles.includes(style)) return `must have one of the styles ${styles.join(', ')}`;
  return null;
}

/** Whether the values of a parameter are checked. */
export function isCheckedParameter({ name, in: place }: JsonObject): boolean {
  return !(place === 'header' && OTHER_HEADERS.has(String(name).toLowerCase()));
}

/** @param parameter one without a fault */
export function prepareParameter(parameter: JsonObject, set: SchemaSet): CheckParameter {
  const {
    name,
    in: place,
    style,
    explode,
    required,
    allowEmptyValue,
  } = parameter as {
    readonly name: string;
    readonly in: Place;
    readonly style?: Style;
    readonly explode?: unknown;
  } & JsonObject;
  const described: Described = {
    name,
    place,
    isRequired: required === true || place === 'path',
    allowsEmpty: place === 'query' && allowEmptyValue === true,
  };
  const found = parameterSchema(parameter);
  const node = set.node(found?.schema ?? true);
  const chosen = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const notation: Notation = {
    name,
    place,
    style: chosen,
    explode: typeof explode === 'boolean' ? explode : chosen === 'form',
    propertyNames: new Set(node.propertyNames()),
  };
  const isContent = isObject(parameter['content']);
  const kinds: readonly Kind[] = isContent ? ['text'] : listKinds(node, notation);
  const toValues = isContent ? (found === null ? null : contentValues) : (shape: Shape) => readValues(shape, node);
  const base = `/${place}${formatPointerStep(name)}`;
  return (reader) => {
    try {
      return checkParameter(reader, described, notation, kinds, node, toValues, base);
    } catch (error) {
      if (error instanceof StyleFault) return [{ path: base, rulePath: base, rule: 'style', message: error.message }];
      if (error instanceof JsonFault) {
        return [{ path: base, rulePath: base, rule: 'content', message: `must be JSON, but ${error.message}` }];
      }
      if (error instanceof TooComplex)
        return [{ path: base, rulePath: base, rule: 'too_complex', message: error.message }];
      throw error;
    }
  };
}

function contentValues(shape: Shape): JsonValue[] {
  return shape.kind === 'text' ? [readJsonText(shape.text)] : [];
}

function checkParameter(
  reader: HeadReader,
  { isRequired, allowsEmpty }: Described,
  notation: Notation,
  kinds: readonly Kind[],
  node: SchemaNode,
  toValues: ((shape: Shape) => JsonValue[]) | null,
  base: string,
): readonly Violation[] {
  let first: readonly Violation[] | null = null;
  let fault: StyleFault | null = null;
  for (const kind of kinds) {
    let shapes: Shape[] | null;
    try {
      shapes = readShapes(reader, kind, notation);
    } catch (error) {
      if (!(error instanceof StyleFault)) throw error;
      fault ??= error;
      continue;
    }
    if (shapes === null) continue;
    for (const shape of shapes) {
      if (toValues === null || (allowsEmpty && shape.kind === 'text' && shape.text === '')) return NONE;
      for (const value of toValues(shape)) {
        const violations = check(node, value, base);
        if (violations.length === 0) return NONE;
        first ??= violations;
      }
    }
  }
  if (first !== null) return first;
  if (fault !== null) throw fault;
  return isRequired ? [{ path: base, rulePath: base, rule: 'required', message: 'is required' }] : NONE;
}

const NONE: readonly Violation[] = [];

function readShapes(reader: HeadReader, kind: Kind, notation: Notation): Shape[] | null {
  const { name, place } = notation;
  if (place === 'query') return readFormValue(reader.query, kind, notation);
  if (place === 'cookie') {
    const { cookies } = reader;
    return readFormValue(notation.explode && kind !== 'text' ? splitCookies(cookies) : cookies, kind, notation);
  }
  if (place === 'header') {
    const values = reader.headerValues(name.toLowerCase());
    return values.length === 0 ? null : readHeaderValue(values, kind, notation);
  }
  const raw = reader.head.pathParameters.get(name);
  return raw === undefined ? null : readPathValue(raw, kind, notation);
}

function check(node: SchemaNode, value: JsonValue, base: string): readonly Violation[] {
  const run = new Run(base, MAX_STEPS_PER_PARAMETER);
  run.location = node;
  node.check(value, run, null);
  return run.violations;
}

/** The forms in which a value may be written, according to the types of its schema. */
function listKinds(node: SchemaNode, { style }: Notation): readonly Kind[] {
  if (style === 'deepObject') return ['map'];
  const types = node.types();
  const hasText = ['string', 'number', 'boolean'].some((type) => types.has(type as TypeName));
  const kinds: Kind[] = hasText ? ['text'] : [];
  if (types.has('array')) kinds.push('list');
  // A schema without a type is hardly meant to be an object.
  if (types.has('object') && !(hasText && types.has('array'))) kinds.push('map');
  return kinds.length === 0 || (!hasText && types.has('null')) ? [...kinds, 'text'] : kinds;
}

function readValues(shape: Shape, node: SchemaNode): JsonValue[] {
  if (shape.kind === 'text') return readings(shape.text, node);
  if (shape.kind === 'list') {
    return [shape.texts.map((text, index) => pick(text, node.itemNodes(index)))];
  }
  return [new Map(Array.from(shape.entries, ([name, text]) => [name, pick(text, node.propertyNodes(name))] as const))];
}

/** The value that a text within a list or an object stands for: a valid one, if there is one. */
function pick(text: string, nodes: readonly SchemaNode[]): JsonValue {
  let first: JsonValue | undefined;
  for (const node of nodes) {
    const values = readings(text, node);
    const valid = values.length === 1 && nodes.length === 1 ? values[0] : values.find((value) => isValid(node, value));
    if (valid !== undefined) return valid;
    first ??= values[0];
  }
  return first ?? text;
}

function isValid(node: SchemaNode, value: JsonValue): boolean {
  return check(node, value, '').length === 0;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MAX_NUMBER_LENGTH = 500;

/** The values that a text may stand for, according to the types of its schema. */
function readings(text: string, node: SchemaNode): JsonValue[] {
  const types = node.types();
  const values: JsonValue[] = [];
  if (types.has('number') && text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text)) values.push(toNumber(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) values.push(text === 'true');
  if (types.has('string')) values.push(text);
  if (types.has('null') && (text === 'null' || text === '')) values.push(null);
  return values.length === 0 ? [text] : values;
}
