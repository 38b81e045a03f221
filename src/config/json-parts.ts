import { pauseIfDue } from '../base/pause-if-due.ts';
import { valueAt } from '../openapi/pointer.ts';

/** Some consecutive entries of an object or list. An earlier part creates the object or list itself. */
export interface JsonPart {
  /** The path of the object or list from the root. */
  readonly at: readonly string[];
  readonly json: string;
}

/**
 * Maximum length of a part in characters, so that parsing it takes about a millisecond. A longer string gets a part of
 * its own.
 */
export const PART_LENGTH = 64 * 1024;

/**
 * Splits an object into pieces of JSON that can be parsed one by one. Like `JSON.stringify`, it leaves out functions
 * and undefined values.
 */
export function splitJson(value: object): readonly JsonPart[] {
  const { ownTexts, nestedParts } = splitNode(value, []);
  return [...ownTexts.map((json) => ({ at: [], json })), ...nestedParts];
}

/** Rebuilds the object from its parts, and lets requests be served in between. */
export async function joinJson(parts: readonly JsonPart[]): Promise<object> {
  const value = {};
  for (const { at, json } of parts) {
    const target = valueAt(value, at) as object;
    const entries = JSON.parse(json) as object;
    if (Array.isArray(target)) target.push(...(entries as unknown[]));
    else Object.assign(target, entries);
    await pauseIfDue();
  }
  return value;
}

interface SplitNode {
  /** The JSON of the object or list itself: one text, or several texts with some of its entries each. */
  readonly ownTexts: readonly string[];
  /** Parts of large nested values. In `own`, an empty object or list takes the place of each. */
  readonly nestedParts: readonly JsonPart[];
}

function splitNode(node: object, at: readonly string[]): SplitNode {
  const isList = Array.isArray(node);
  const [open, close] = isList ? '[]' : '{}';
  const ownTexts: string[] = [];
  const nestedParts: JsonPart[] = [];
  let text = '';
  for (const [key, child] of Object.entries(node) as [string, unknown][]) {
    let json: string | undefined;
    if (typeof child !== 'object' || child === null) json = JSON.stringify(child) as string | undefined;
    else {
      const path = [...at, key];
      const splitChild = splitNode(child, path);
      const [wholeText = '', ...furtherTexts] = splitChild.ownTexts;
      json = furtherTexts.length === 0 ? wholeText : Array.isArray(child) ? '[]' : '{}';
      if (furtherTexts.length > 0) for (const part of splitChild.ownTexts) nestedParts.push({ at: path, json: part });
      for (const part of splitChild.nestedParts) nestedParts.push(part);
    }
    if (json === undefined && !isList) continue;
    const entry = isList ? (json ?? 'null') : `${JSON.stringify(key)}:${json}`;
    if (text !== '' && text.length + entry.length > PART_LENGTH) {
      ownTexts.push(open + text + close);
      text = '';
    }
    text += text === '' ? entry : `,${entry}`;
  }
  ownTexts.push(open + text + close);
  return { ownTexts, nestedParts };
}
