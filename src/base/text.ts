import { isObject } from './json.ts';

/**
 * Makes free text safe for display: replaces characters that move the cursor, begin a line or change the direction of
 * text. Keeps joiners.
 */
export function toPrintable(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** @returns text such as `1 request` or `2 requests` */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Removes slashes from the end of a path or URL. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** A string with forbidden characters in a JSON or YAML value. */
interface TextFault {
  /** The steps from the root of the value to the string. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/**
 * The control characters of the Unicode Bidirectional Algorithm (UAX #9). They change the order in which text is
 * displayed, so they could make one key's name look like another's.
 */
const BIDI_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Describes what is wrong with a text, as the end of a sentence such as "name must not …"; null if nothing is wrong.
 */
export function findTextFault(text: string): string | null {
  const [control] = BIDI_CONTROL.exec(text) ?? [];
  if (control !== undefined) {
    return `must not contain the invisible character ${nameCharacter(control)}, which changes the order in which text is displayed`;
  }
  const [half] = LONE_SURROGATE.exec(text) ?? [];
  return half === undefined
    ? null
    : `must not contain half of a character (the unpaired surrogate ${nameCharacter(half)})`;
}

/** Finds all strings in a value that contain forbidden characters, including field names. */
export function findTextFaults(value: unknown): TextFault[] {
  const faults: TextFault[] = [];
  // This is not recursive, because JSON may be nested deeper than the stack allows.
  const places: Place[] = [{ value, key: null, above: null }];
  for (const place of places) {
    const { value: each } = place;
    if (typeof each === 'string') {
      const fault = findTextFault(each);
      if (fault !== null) faults.push({ at: listSteps(place), message: fault });
    } else if (Array.isArray(each)) {
      for (const [index, one] of each.entries()) places.push({ value: one, key: index, above: place });
    } else if (isObject(each)) {
      for (const [name, one] of Object.entries(each)) {
        const fault = findTextFault(name);
        if (fault !== null) faults.push({ at: listSteps(place), message: `has a field whose name ${fault}` });
        else places.push({ value: one, key: name, above: place });
      }
    }
  }
  return faults;
}

interface Place {
  readonly value: unknown;
  /** The field name or index in the parent; null for the root. */
  readonly key: string | number | null;
  readonly above: Place | null;
}

function listSteps(place: Place): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at: Place | null = place; at !== null && at.key !== null; at = at.above) steps.push(at.key);
  return steps.toReversed();
}

function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
