import { isUtf8 } from 'node:buffer';
import { ExactNumber } from './decimal.ts';
import type { BodyFault, BodyFaultKind } from './validation.ts';

/**
 * A value of a JSON text. Objects are maps, so that a name such as `__proto__` is like any other. Numbers that a
 * JavaScript number might change are `ExactNumber`.
 */
export type JsonValue = null | boolean | string | number | ExactNumber | readonly JsonValue[] | JsonMap;
export type JsonMap = ReadonlyMap<string, JsonValue>;

export const TYPES = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const;
export type TypeName = (typeof TYPES)[number];

export function typeName(value: JsonValue): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ExactNumber) return 'number';
  return typeof value as TypeName;
}

/** Why a text is not read. */
export class JsonFault extends Error {
  readonly kind: BodyFaultKind;

  constructor(kind: BodyFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }

  toBodyFault(): BodyFault {
    return { fault: this.kind, message: this.message };
  }
}

/**
 * Reading and checking take time in proportion to the number of values, and cannot be interrupted. Bodies with more
 * values than this are refused. Reading that many takes a few milliseconds.
 */
export const MAX_VALUES = 80_000;
/** Values and names that are longer than others count more: one for each so many bytes. */
const BYTES_PER_VALUE = 16;
/** Objects and exact numbers take more time than other values, and so do the names of very large objects. */
const [OBJECT_VALUES, NAME_VALUES, EXACT_VALUES] = [2, 1, 3];
const LARGE_OBJECT = 100;
const NAME_VALUES_IN_LARGE_OBJECT = 6;
export const MAX_DEPTH = 100;
/** Arithmetic with exact numbers takes more time the longer they are. */
const MAX_NUMBER_LENGTH = 500;

const BYTE_ORDER_MARK = 0xfeff;

/** @throws JsonFault */
export function readJson(bytes: Buffer): JsonValue {
  if (bytes.length > MAX_VALUES * BYTES_PER_VALUE) {
    throw new JsonFault('too_complex', `is longer than ${MAX_VALUES * BYTES_PER_VALUE} bytes, so it is not checked`);
  }
  if (!isUtf8(bytes)) throw new JsonFault('invalid_utf8', 'is not valid UTF-8');
  return readJsonText(bytes.toString('utf8'));
}

/** @throws JsonFault */
export function readJsonText(text: string): JsonValue {
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) {
    throw new JsonFault('byte_order_mark', 'begins with a byte order mark: remove it');
  }
  return new Reader(text).readAll();
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, BACKSLASH, COLON] = [0x22, 0x2c, 0x5c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LETTER_T, LETTER_F, LETTER_N] = [0x74, 0x66, 0x6e];

const EMPTY: JsonMap = new Map();

/**
 * `JSON.parse` keeps only the last of several members with the same name, and rounds numbers. A service may read both
 * differently.
 */
class Reader {
  readonly #text: string;
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  #at = 0;
  #valuesLeft = MAX_VALUES;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): JsonValue {
    const value = this.#value(this.#next());
    if (!Number.isNaN(this.#next())) throw this.#fault();
    return value;
  }

  /** The code of the next character that is not white space; NaN at the end. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return code;
      this.#at++;
    }
  }

  #value(code: number): JsonValue {
    this.#count(1);
    if (code === QUOTE) return this.#string();
    if (code === OPEN_BRACE) return this.#nested(() => this.#object());
    if (code === OPEN_BRACKET) return this.#nested(() => this.#array());
    if (code === LETTER_T) return this.#literal('true', true);
    if (code === LETTER_F) return this.#literal('false', false);
    if (code === LETTER_N) return this.#literal('null', null);
    return this.#numeric();
  }

  #count(values: number): void {
    this.#valuesLeft -= values;
    if (this.#valuesLeft < 0) {
      throw new JsonFault('too_complex', `has more than ${MAX_VALUES} values, so it takes too long to check`);
    }
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > MAX_DEPTH) throw new JsonFault('too_complex', `is nested deeper than ${MAX_DEPTH} levels`);
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): JsonMap {
    this.#count(OBJECT_VALUES);
    if (this.#next() === CLOSE_BRACE) {
      this.#at++;
      return EMPTY;
    }
    const members = new Map<string, JsonValue>();
    for (;;) {
      if (this.#next() !== QUOTE) throw this.#fault();
      this.#count(members.size < LARGE_OBJECT ? NAME_VALUES : NAME_VALUES_IN_LARGE_OBJECT);
      const name = this.#string();
      if (members.has(name)) {
        throw new JsonFault('duplicate_name', `has an object with the same name twice, before character ${this.#at}`);
      }
      if (this.#next() !== COLON) throw this.#fault();
      this.#at++;
      members.set(name, this.#value(this.#next()));
      const after = this.#next();
      if (after !== COMMA && after !== CLOSE_BRACE) throw this.#fault();
      this.#at++;
      if (after === CLOSE_BRACE) return members;
    }
  }

  #array(): JsonValue[] {
    const items: JsonValue[] = [];
    if (this.#next() === CLOSE_BRACKET) {
      this.#at++;
      return items;
    }
    for (;;) {
      items.push(this.#value(this.#next()));
      const after = this.#next();
      if (after !== COMMA && after !== CLOSE_BRACKET) throw this.#fault();
      this.#at++;
      if (after === CLOSE_BRACKET) return items;
    }
  }

  #literal<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault();
    this.#at += word.length;
    return value;
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#at;
    let at = start;
    let hasEscapes = false;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(++at)) {
      if (code === BACKSLASH) {
        hasEscapes = true;
        at++;
      } else if (!(code >= SPACE)) {
        this.#at = at;
        throw this.#fault();
      }
    }
    this.#at = at + 1;
    if (at - start > BYTES_PER_VALUE) this.#count((at - start) / BYTES_PER_VALUE);
    return hasEscapes ? this.#unescaped(start - 1) : text.slice(start, at);
  }

  #unescaped(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      this.#at = start;
      throw this.#fault();
    }
  }

  #numeric(): number | ExactNumber {
    this.#number.lastIndex = this.#at;
    const source = this.#number.exec(this.#text)?.[0];
    if (source === undefined) throw this.#fault();
    if (source.length > MAX_NUMBER_LENGTH) {
      throw new JsonFault('too_complex', `has a number of more than ${MAX_NUMBER_LENGTH} characters`);
    }
    this.#at += source.length;
    const value = toNumber(source);
    if (typeof value !== 'number') this.#count(EXACT_VALUES);
    return value;
  }

  #fault(): JsonFault {
    const isEnd = this.#at >= this.#text.length;
    const what = isEnd ? 'ends too early' : `has an unexpected character at position ${this.#at}`;
    return new JsonFault(
      'not_json',
      this.#text === '' ? 'is empty, but must be JSON' : `is not valid JSON: it ${what}`,
    );
  }
}

/** A JavaScript number holds any decimal of so many significant digits. */
const EXACT_DIGITS = 15;
const EXPONENT = /[eE]/;

/** @param source a JSON number */
export function toNumber(source: string): number | ExactNumber {
  const value = Number(source);
  if (source.length <= EXACT_DIGITS && !EXPONENT.test(source)) return value;
  const [mantissa = ''] = source.split(EXPONENT, 1);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  const isNormal = digits === '' || (Math.abs(value) >= 1e-300 && Math.abs(value) <= 1e300);
  return digits.length <= EXACT_DIGITS && isNormal ? value : new ExactNumber(source);
}
