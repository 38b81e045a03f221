import { tableOf } from '../../base/table-of.ts';

/** A regular expression without lookaheads, and those that it began with. */
interface Translation {
  readonly condition: string;
  readonly others: readonly { readonly pattern: string; readonly isExcluded: boolean }[];
}

const SPACES = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_SPACES = String.raw`\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const NO_LINE_END = String.raw`[^\n\r\x{2028}\x{2029}]`;
const ESCAPES_WITH_A_MEANING = /[dDwWbBnrtfvxuc0-9k]/;

/** Short names of general categories. RE2 knows no others. */
const CATEGORIES = tableOf({
  letter: 'L',
  lowercase_letter: 'Ll',
  uppercase_letter: 'Lu',
  titlecase_letter: 'Lt',
  modifier_letter: 'Lm',
  other_letter: 'Lo',
  mark: 'M',
  number: 'N',
  decimal_number: 'Nd',
  digit: 'Nd',
  letter_number: 'Nl',
  other_number: 'No',
  punctuation: 'P',
  punct: 'P',
  symbol: 'S',
  separator: 'Z',
  space_separator: 'Zs',
  other: 'C',
  control: 'Cc',
  format: 'Cf',
});

/**
 * Translates a regular expression of ECMAScript to the syntax of RE2, where `\s`, `.` and `[[:name:]]` differ. Lookaheads
 * at the start become expressions of their own, because RE2 has none.
 *
 * @param isUnicode whether it is valid with the flag `u`. Otherwise, unknown escapes stand for themselves
 */
export function translatePattern(source: string, isUnicode: boolean): Translation {
  const { lookaheads, rest } = splitLookaheads(source);
  return {
    condition: toRe2(rest, isUnicode),
    others: lookaheads.map(({ inner, isExcluded }) => ({ pattern: `^(?:${toRe2(inner, isUnicode)})`, isExcluded })),
  };
}

function toRe2(source: string, isUnicode: boolean): string {
  let result = '';
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '\\') {
      const [text, length] = translateEscape(source.slice(at), isInClass, isUnicode);
      result += text;
      at += length - 1;
    } else if (isInClass) {
      isInClass = character !== ']';
      // `[[:alpha:]]` is a class of letters in RE2, but not in ECMAScript.
      result += character === '[' ? '\\[' : character;
    } else if (character === '[') {
      const [empty = ''] = /^\[\^?\]/.exec(source.slice(at, at + 3)) ?? [];
      isInClass = empty === '';
      result += empty === '' ? '[' : empty;
      at += Math.max(empty.length, 1) - 1;
    } else {
      result += character === '.' ? NO_LINE_END : character;
    }
  }
  return result;
}

const SURROGATES = /^\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/;
const PROPERTY = /^\\([pP])\{([^}]*)\}/;

/** @returns the translation of the escape that a text begins with, and its length */
function translateEscape(text: string, isInClass: boolean, isUnicode: boolean): readonly [string, number] {
  const letter = text.charAt(1);
  if (letter === 's') return [isInClass ? SPACES : `[${SPACES}]`, 2];
  if (letter === 'S') return [isInClass ? NO_SPACES : `[${NO_SPACES}]`, 2];
  if (letter === 'b' && isInClass) return ['\\x08', 2];
  if (isUnicode) {
    const [pair, high = '', low = ''] = SURROGATES.exec(text.slice(0, 12)) ?? [];
    const code = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
    if (pair !== undefined) return [`\\x{${code.toString(16)}}`, pair.length];
    const [property, kind = '', name = ''] = PROPERTY.exec(text) ?? [];
    if (property !== undefined) return [`\\${kind}{${toPropertyName(name)}}`, property.length];
  }
  if (/[A-Za-z]/.test(letter) && !ESCAPES_WITH_A_MEANING.test(letter)) return [letter, 2];
  return [text.slice(0, 2), 2];
}

function toPropertyName(name: string): string {
  const [kind = '', value] = name.split('=', 2);
  if (value === undefined) return CATEGORIES.get(kind.toLowerCase()) ?? kind;
  return CATEGORIES.get(value.toLowerCase()) ?? value;
}

interface Lookahead {
  readonly inner: string;
  readonly isExcluded: boolean;
}

/** Many patterns for passwords begin with lookaheads. All of them begin at the start of the text. */
function splitLookaheads(source: string): { readonly lookaheads: readonly Lookahead[]; readonly rest: string } {
  const lookaheads: Lookahead[] = [];
  if (!source.startsWith('^(?=') && !source.startsWith('^(?!')) return { lookaheads, rest: source };
  let rest = source.slice(1);
  while (rest.startsWith('(?=') || rest.startsWith('(?!')) {
    const { end } = readGroup(rest, 3);
    if (end === -1) return { lookaheads: [], rest: source };
    lookaheads.push({ inner: rest.slice(3, end), isExcluded: rest[2] === '!' });
    rest = rest.slice(end + 1);
  }
  // An alternative to the whole expression would not need to match the lookaheads.
  if (readGroup(rest, 0).hasAlternatives || /^[*+?{]/.test(rest)) return { lookaheads: [], rest: source };
  return { lookaheads, rest: `^${rest}` };
}

/** Finds the end of the group that contains a position; -1 if it is not in a group. */
function readGroup(source: string, from: number): { readonly end: number; readonly hasAlternatives: boolean } {
  let depth = 0;
  let isInClass = false;
  let hasAlternatives = false;
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(') depth++;
    else if (character === '|' && depth === 0) hasAlternatives = true;
    else if (character === ')' && depth-- === 0) return { end: at, hasAlternatives };
  }
  return { end: -1, hasAlternatives };
}
