/** Removes keys from paths in the log, and from URLs and cookies that are forwarded. */

import { BRAND, DEFAULT_MAX_LENGTH, type ForeignKeyFormat } from '../domain/key-format.ts';

/** Matches a key of this gateway. */
const KEY = new RegExp(`${BRAND}[A-Za-z0-9]+`, 'g');
/** Matches a key of this gateway with any part percent-encoded. */
const ENCODED_KEY = new RegExp(`${matchEncodable(BRAND)}(?:[A-Za-z0-9]|%3[0-9]|%[46][1-9A-Fa-f]|%[57][0-9Aa])+`, 'g');

interface ForeignPattern {
  readonly prefix: string;
  /** For `test`: without the flag `g`, the expression has no state. */
  readonly singleKey: RegExp;
  /** Matches all keys of a text. */
  readonly allKeys: RegExp;
  /** Matches all keys of a text, with any part percent-encoded. */
  readonly encoded: RegExp;
}

/** The formats of foreign keys. They are set for the whole process, like the log. */
let foreignPatterns: readonly ForeignPattern[] = [];

/**
 * Sets the formats of the foreign keys that this module also removes. Replaces the formats of the previous call. Ignores
 * formats without a prefix, because any request id or token could be such a key.
 */
export function redactForeignKeys(formats: readonly ForeignKeyFormat[]): void {
  foreignPatterns = formats.flatMap(({ prefix, minLength }) => {
    if (prefix === undefined) return [];
    const text = buildPrefixedKeyPattern({ prefix, minLength });
    const rest = `{${minLength - prefix.length},}`;
    const encoded = `${matchEncodable(prefix)}(?:[A-Za-z0-9._~+/=-]|%3[0-9Dd]|%[46][1-9A-Fa-f]|%[57][0-9AaFfEe]|%2[BbDdEeFf])${rest}`;
    return [{ prefix, singleKey: new RegExp(text), allKeys: new RegExp(text, 'g'), encoded: new RegExp(encoded, 'g') }];
  });
}

/**
 * Builds a regular expression for an entire key in the given format. Without a prefix, the key may consist of any
 * visible ASCII characters.
 */
export function buildForeignKeyPattern({ prefix, minLength, maxLength }: ForeignKeyFormat): string {
  if (prefix !== undefined) return buildPrefixedKeyPattern({ prefix, minLength, maxLength });
  // A key of this gateway never counts as a foreign key.
  return `(?!tg_)[!-~]{${minLength},${maxLength ?? DEFAULT_MAX_LENGTH}}`;
}

type PrefixedFormat = Pick<ForeignKeyFormat, 'minLength' | 'maxLength'> & { readonly prefix: string };

/** Builds a regular expression for a key with a prefix. Its characters are those of `token68` (RFC 9110, 11.2). */
function buildPrefixedKeyPattern({ prefix, minLength, maxLength }: PrefixedFormat): string {
  const maxRemaining = maxLength === undefined ? '' : maxLength - prefix.length;
  return `${RegExp.escape(prefix)}[A-Za-z0-9._~+/=-]{${minLength - prefix.length},${maxRemaining}}`;
}

/** Texts that may contain a JSON Web Token. */
const LONG_WORD = /[A-Za-z0-9_.-]{20,}/g;
/** The header and the claims of a token are JSON objects, which begin with `{"`. */
const OBJECT = 'eyJ';
let hasTokens = false;

/** Whether access tokens are removed from texts, too. */
export function redactTokens(areAccepted: boolean): void {
  hasTokens = areAccepted;
}

export function looksLikeKey(text: string): boolean {
  return text.includes(BRAND) || foreignPatterns.some(({ singleKey: one }) => one.test(text));
}

export function replaceKeys(text: string): string {
  const safe = text.includes(BRAND) ? text.replace(KEY, `${BRAND}…`) : text;
  const withoutTokens = hasTokens && safe.includes(OBJECT) ? safe.replaceAll(LONG_WORD, withoutToken) : safe;
  return foreignPatterns.length === 0 ? withoutTokens : replaceForeignKeys(withoutTokens, '…');
}

/** Removes keys, percent-encoded or not, from a URL or header that is forwarded, and changes nothing else. */
export function redactKeys(text: string): string {
  const isEncoded = text.includes('%');
  const safe = isEncoded || text.includes(BRAND) ? text.replace(ENCODED_KEY, `${BRAND}redacted`) : text;
  if (foreignPatterns.length === 0) return safe;
  if (!isEncoded) return replaceForeignKeys(safe, 'redacted');
  return foreignPatterns.reduce((rest, { prefix, encoded }) => rest.replace(encoded, `${prefix}redacted`), safe);
}

function withoutToken(word: string): string {
  const start = word.indexOf(OBJECT);
  return start >= 0 && word.includes(`.${OBJECT}`, start) ? `${word.slice(0, start)}${OBJECT}…` : word;
}

function replaceForeignKeys(text: string, end: string): string {
  return foreignPatterns.reduce((rest, { prefix, allKeys }) => {
    return rest.includes(prefix) ? rest.replace(allKeys, prefix + end) : rest;
  }, text);
}

function matchEncodable(text: string): string {
  return Array.from(text, (character) => {
    const hex = character.charCodeAt(0).toString(16);
    return `(?:${RegExp.escape(character)}|%(?:${hex}|${hex.toUpperCase()}))`;
  }).join('');
}
