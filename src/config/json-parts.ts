import { pauseIfDue } from '../base/pause-if-due.ts';
import { valueAt } from '../openapi/pointer.ts';

/**
 * Some entries of an object or a list, in their order. An earlier part has created the object or list without entries.
 */
export interface JsonPart {
  /** Steps from the root. */
  readonly at: readonly string[];
  readonly json: string;
}

/**
 * Maximum length of a part, in characters; parsing a part takes about a millisecond. A longer text has a part of its
 * own.
 */
export const PART_LENGTH = 64 * 1024;

/**
 * Splits an object into pieces of JSON that can be parsed one by one. Anything that JSON cannot express is left out.
 */
export function splitJson(value: object): readonly JsonPart[] {
  const { own, others } = split(value, []);
  return [...own.map((json) => ({ at: [], json })), ...others];
}

/** Puts the object together from its parts. */
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

interface Split {
  /** JSON of the object or list itself: one text, or several texts with some of the entries each. */
  readonly own: readonly string[];
  /** Parts of the large values inside. In the texts of `own`, these values are empty. */
  readonly others: readonly JsonPart[];
}

function split(node: object, at: readonly string[]): Split {
  const isList = Array.isArray(node);
  const [open, close] = isList ? '[]' : '{}';
  const own: string[] = [];
  const others: JsonPart[] = [];
  let text = '';
  for (const [key, child] of Object.entries(node) as [string, unknown][]) {
    let json: string | undefined;
    if (typeof child !== 'object' || child === null) json = JSON.stringify(child) as string | undefined;
    else {
      const path = [...at, key];
      const inner = split(child, path);
      const [whole = '', ...more] = inner.own;
      json = more.length === 0 ? whole : Array.isArray(child) ? '[]' : '{}';
      if (more.length > 0) for (const part of inner.own) others.push({ at: path, json: part });
      for (const part of inner.others) others.push(part);
    }
    if (json === undefined && !isList) continue;
    const entry = isList ? (json ?? 'null') : `${JSON.stringify(key)}:${json}`;
    if (text !== '' && text.length + entry.length > PART_LENGTH) {
      own.push(open + text + close);
      text = '';
    }
    text += text === '' ? entry : `,${entry}`;
  }
  own.push(open + text + close);
  return { own, others };
}
