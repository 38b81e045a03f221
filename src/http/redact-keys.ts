/** Removes API keys where they do not belong: from paths in the log, and from URLs and cookies that are passed on. */

import { BRAND } from '../base/key-format.ts';

const KEY = new RegExp(`${BRAND}[A-Za-z0-9]+`, 'g');
/** The same, with any part percent-encoded. */
const ENCODED_KEY = new RegExp(
  `${Array.from(BRAND, encodable).join('')}(?:[A-Za-z0-9]|%3[0-9]|%[46][1-9A-Fa-f]|%[57][0-9Aa])+`,
  'g',
);

export function looksLikeKey(text: string): boolean {
  return text.includes(BRAND);
}

export function withoutKeys(text: string): string {
  return looksLikeKey(text) ? text.replace(KEY, `${BRAND}…`) : text;
}

/** For a URL or header that is passed on: removes keys however they are encoded, and changes nothing else. */
export function redactKeys(text: string): string {
  if (!looksLikeKey(text) && !text.includes('%')) return text;
  return text.replace(ENCODED_KEY, `${BRAND}redacted`);
}

function encodable(character: string): string {
  const hex = character.charCodeAt(0).toString(16);
  return `(?:${character}|%(?:${hex}|${hex.toUpperCase()}))`;
}
