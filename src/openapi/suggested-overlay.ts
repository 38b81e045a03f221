import { stringify } from 'yaml';

/**
 * Creates the text of an overlay that removes the parts that make a document unusable.
 *
 * @param targets JSONPath queries
 */
export function suggestOverlay(targets: readonly string[]): string {
  return stringify(
    {
      overlay: '1.0.0',
      info: { title: 'Removes what the gateway cannot serve', version: '1.0.0' },
      actions: targets.map((target) => ({ target, remove: true })),
    },
    { lineWidth: 0, version: '1.2' },
  );
}

/** Formats a JSONPath query that selects one place; null if no query can be written for it. */
export function queryFor(path: readonly string[]): string | null {
  if (!path.every((step) => step.isWellFormed() && !UNWRITABLE.test(step))) return null;
  return `$${path.map((step) => `['${step.replace(ESCAPED, escape)}']`).join('')}`;
}

const SHORT: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };
/** The library does not accept these characters even when they are escaped (`\u0000`). */
// oxlint-disable-next-line no-control-regex -- these are the ones
const UNWRITABLE = /(?![\b\f\n\r\t])[\u0000-\u001f]/;

/** Characters to escape: quotes and backslashes, and anything that would be invisible in a file. */
const ESCAPED = /['\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escape(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  const short = SHORT[character];
  if (short !== undefined) return `\\${short}`;
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
    .join('');
}
