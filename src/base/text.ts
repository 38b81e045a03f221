import { isObject } from './json.ts';

/**
 * Makes free text safe for display: nothing in it moves the cursor, begins a line or reverses the direction of text.
 * Joiners are kept.
 */
export function printable(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** A path or URL without the slashes at its end. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** A forbidden text in a JSON or YAML value. */
interface TextFault {
  /** The steps from the whole value to the text. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/**
 * Marks, embeddings, overrides and isolates of the Unicode Bidirectional Algorithm (UAX #9). They change the order in
 * which text is displayed, so the name of one key could look like that of another.
 */
const BIDI_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const LONE_SURROGATE = /\p{Cs}/u;

/** Describes what is wrong with a text, as the end of a sentence; null if nothing is wrong. */
export function textFault(text: string): string | null {
  const [control] = BIDI_CONTROL.exec(text) ?? [];
  if (control !== undefined) {
    return `must not contain the invisible character ${nameCharacter(control)}, which changes the order in which text is displayed`;
  }
  const [half] = LONE_SURROGATE.exec(text) ?? [];
  return half === undefined
    ? null
    : `must not contain half of a character (the unpaired surrogate ${nameCharacter(half)})`;
}

/** All strings in a value that contain forbidden characters, including field names. */
export function textFaults(value: unknown): TextFault[] {
  const faults: TextFault[] = [];
  // Not recursive, because JSON may be nested deeper than the stack allows.
  const places: Place[] = [{ value, key: null, above: null }];
  for (const place of places) {
    const { value: each } = place;
    if (typeof each === 'string') {
      const fault = textFault(each);
      if (fault !== null) faults.push({ at: stepsTo(place), message: fault });
    } else if (Array.isArray(each)) {
      for (const [index, one] of each.entries()) places.push({ value: one, key: index, above: place });
    } else if (isObject(each)) {
      for (const [name, one] of Object.entries(each)) {
        const fault = textFault(name);
        if (fault !== null) faults.push({ at: stepsTo(place), message: `has a field whose name ${fault}` });
        else places.push({ value: one, key: name, above: place });
      }
    }
  }
  return faults;
}

interface Place {
  readonly value: unknown;
  /** Null for the whole value. */
  readonly key: string | number | null;
  readonly above: Place | null;
}

function stepsTo(place: Place): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at: Place | null = place; at !== null && at.key !== null; at = at.above) steps.push(at.key);
  return steps.toReversed();
}

function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
