import { pauseIfDue } from '../base/pause-if-due.ts';
import { valueAt } from '../openapi/pointer.ts';

/** Some entries of an object or a list, in their order. An earlier part has created the object or list, empty. */
export interface JsonPart {
  /** Steps from the root. */
  readonly at: readonly string[];
  readonly json: string;
}

/** Characters of a part, unless it has a longer text: parsing them takes about a millisecond. */
export const PART_LENGTH = 64 * 1024;

/** An object as pieces of JSON, to be parsed one by one. What JSON cannot express is left out. */
export function splitJson(value: object): readonly JsonPart[] {
  const { own, others } = split(value, []);
  return [...own.map((json) => ({ at: [], json })), ...others];
}

/** The object of these parts. */
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
  /** The object or list itself: one text, or several with some of its entries each. */
  readonly own: readonly string[];
  /** Parts of the large values in it. The texts of `own` have these values empty. */
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
