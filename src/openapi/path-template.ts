import { findTextFault } from '../base/text.ts';

/** OpenAPI path templates (`/pets/{petId}`), and their form for the router, where every other character is literal. */

const PARAMETER = /\{([^{}]*)\}/g;

/** Matches the segments `*` and `**`, and parameters for several segments in other notations: `{path*}`, `{proxy+}`. */
const WILDCARD = /\/(?:\*{1,2}|\{[^{}]*[*+]\})(?:\/|$)/;

/** @returns the error in a template, or null */
export function templateFault(template: string): string | null {
  if (!template.startsWith('/')) return 'must start with /';
  const [forbidden] = /[\p{Cc}?#]/u.exec(template) ?? [];
  if (forbidden !== undefined)
    return `has ${nameCharacter(forbidden)}, which is not allowed in a path${advise(forbidden)}`;
  if (!template.isWellFormed()) return 'has half of a character (an unpaired surrogate)';
  if (WILDCARD.test(template))
    return 'has a wildcard, which OpenAPI does not support: use a parameter with x-multi-segment: true as the last segment, such as /files/{path}';
  const fault = findTextFault(template);
  if (fault !== null) return fault;
  if (/[{}]/.test(template.replace(PARAMETER, ''))) return 'has unbalanced braces';
  if (/\}\{/.test(template)) return 'has two parameters with nothing between them';
  const names = listParameters(template);
  if (names.some((name) => name === '')) return 'has a parameter without a name';
  if (new Set(names).size < names.length) return 'has two parameters with the same name';
  return null;
}

/** The name of a character in messages. A control character is named by its code point. */
function nameCharacter(character: string): string {
  if (character === '?' || character === '#') return `the character ${character}`;
  return `the control character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function advise(character: string): string {
  if (character === '?') return ': describe the query as parameters of the operation instead';
  return character === '#' ? ': remove what follows it' : '';
}

/** The template with `{}` in place of each parameter. */
export function withoutParameterNames(template: string): string {
  return template.replaceAll(PARAMETER, '{}');
}

export function listParameters(template: string): string[] {
  return Array.from(template.matchAll(PARAMETER), ([, name = '']) => name);
}

/**
 * The router gives `:`, `*`, `(` and `)` a meaning and decodes `%`, but an API may use these characters in its paths.
 * They are replaced by control characters in both patterns and paths, because no request path can contain those.
 */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  ':': '\x01',
  '*': '\x02',
  '(': '\x03',
  ')': '\x04',
  '%': '\x05',
};
const ORIGINALS = Object.entries(SUBSTITUTES);
const HAS_SPECIAL = /[:*()%]/;
const SPECIAL = /[:*()%]/g;

/** Converts a path to the form that the router matches. */
export function toRouterPath(path: string): string {
  return HAS_SPECIAL.test(path) ? path.replace(SPECIAL, (character) => SUBSTITUTES[character] ?? '') : path;
}

/** Matches a parameter that is the whole last segment. Only such a parameter can contain slashes. */
const LAST_SEGMENT = /\/\{([^{}/]*)\}$/;

/** The name of the parameter that is the whole last segment of a template; null if there is none. */
export function lastSegmentParameter(template: string): string | null {
  return LAST_SEGMENT.exec(template)?.[1] ?? null;
}

/**
 * A template as a pattern for the router: parameters become `:p0`, `:p1`, …, and a rest becomes `*`. Templates that match
 * the same paths have the same pattern.
 *
 * @param hasRest whether the last segment is a rest: a parameter that spans slashes
 */
export function toRouterPattern(template: string, hasRest: boolean): string {
  if (hasRest) return `${toRouterPattern(template.replace(LAST_SEGMENT, ''), false)}/*`;
  let index = 0;
  return template
    .replace(PARAMETER, '{}')
    .split('/')
    .map((segment) => {
      // The literals of a segment, with a parameter between each two.
      const literals = segment.split('{}').map((literal) => toRouterPath(canonical(literal)));
      return literals.reduce((pattern, literal, at) => {
        const rest = literals.slice(at);
        return `${pattern}:p${index++}${valuePattern(rest, pattern === '')}${literal}`;
      });
    })
    .join('/');
}

/**
 * A pattern for the values of a parameter; empty if the parameter is a whole segment. The router needs a pattern for
 * three reasons. Without one, a parameter after a literal would match nothing, and the router would not try another
 * template. The router would read letters of a literal after the parameter as part of the parameter's name. Between `-`
 * and `.`, the router would try all ways to divide a segment, which takes exponential time. So a value ends where the
 * next literal first occurs: if a segment can be divided at all, it can be divided like this.
 *
 * The first parameter holds the literals that follow in the segment.
 *
 * @param isFirst whether the segment begins with the parameter
 */
function valuePattern([literal = '', ...others]: readonly string[], isFirst: boolean): string {
  if (isFirst && literal === '' && others.length === 0) return '';
  return others.length === 0 ? '(.+)' : `(.(?:(?!${RegExp.escape(literal)}).)*)`;
}

/** The value of a parameter as it is in the path, percent-encoded. */
export function toPathText(value: string): string {
  let text = value;
  for (const [original, substitute] of ORIGINALS) text = text.replaceAll(substitute, original);
  return text;
}

/** Decodes a parameter's value that the router found. */
export function fromRouterValue(value: string): string {
  const text = toPathText(value);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const UNRESERVED_ONLY = /^[A-Za-z0-9._~-]*$/;

/**
 * Compiles a template for references, such as `/pets?id={petId}`.
 *
 * @param path the path template that defines its parameters
 * @param hasRest whether the last parameter of the path is a rest. Its slashes are kept if it is also the last segment
 *   of the reference, and encoded elsewhere
 * @returns a function that fills in the values that the router found for that path, percent-encoded
 */
export function compileTemplate(
  template: string,
  path: string,
  hasRest: boolean,
): (values: readonly string[]) => string {
  const names = listParameters(path);
  const parts = template.split(/\{([^{}]*)\}/);
  const indexes = parts.map((part, index) => (index % 2 === 1 ? names.indexOf(part) : -1));
  const [ownPath = ''] = template.split(/[?#]/, 1);
  const keepsSlashes = hasRest && lastSegmentParameter(ownPath) === names.at(-1);
  const restAt = keepsSlashes ? ownPath.split(/\{([^{}]*)\}/).length - 2 : -1;
  return function fill(values) {
    let text = '';
    for (let index = 0; index < parts.length; index++) {
      const value = values[indexes[index] ?? -1] ?? '';
      if (index % 2 === 0) text += parts[index];
      else text += index === restAt ? value.split('/').map(encode).join('/') : encode(value);
    }
    return text;
  };
}

function encode(value: string): string {
  return UNRESERVED_ONLY.test(value) ? value : encodeURIComponent(fromRouterValue(value));
}

const ESCAPE = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /[A-Za-z0-9._~-]/;

/** Gives a path its normal spelling: unreserved characters unescaped, all other escapes in upper case (RFC 3986, 6.2.2). */
export function normalizeEscapes(path: string): string {
  return path.replace(ESCAPE, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

function canonical(literal: string): string {
  return normalizeEscapes(encodeURI(literal).replace(/%25(?=[0-9A-Fa-f]{2})/g, '%'));
}
