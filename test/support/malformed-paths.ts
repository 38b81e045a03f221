/**
 * What makes a path malformed: two programs could read it as two different paths. Each follows a path that exists, such
 * as `/echo`.
 */
export const MALFORMED_PATH_ENDINGS: readonly (readonly [what: string, ending: string])[] = [
  ['a double slash inside', '//1'],
  ['a backslash', '\\1'],
  ['an encoded backslash', '/%5C1'],
  ['a dot segment', '/../status/200'],
  ['a single dot', '/./1'],
  ['a dot segment at the end', '/..'],
  ['an encoded dot segment', '/%2e%2e/status'],
  ['a half-encoded dot segment', '/.%2E/status'],
  ['a dot segment with path parameters', '/..;/status'],
  ['an encoded dot segment with path parameters', '/%2e%2e;a=b/status'],
  ['an encoded slash', '/a%2Fb'],
  ['an encoded slash in small letters', '/a%2fb'],
  ['an encoded dot segment before an encoded slash', '/%2e%2e%2fstatus'],
  ['an encoded NUL', '/a%00'],
  ['an encoded line end', '/a%0d%0aX-Consumer-Id:%20root'],
  ['an encoded DEL', '/a%7F'],
  ['an encoded control character beyond ASCII', '/a%C2%85'],
  ['a percent sign that begins no escape', '/%zz'],
  ['a percent sign at the end', '/%'],
  ['an escape that is not UTF-8', '/%ff'],
  ['an escape that ends early', '/%e2%82'],
  ['an encoded surrogate', '/%ed%a0%80'],
  ['an overlong escape of a slash', '/%c0%af'],
  ['an overlong escape of dots', '/%c0%ae%c0%ae'],
  ['a raw quote', '/"'],
  ['a raw brace', '/{id}'],
  ['a raw angle bracket', '/<a>'],
  ['a fragment', '/a#b'],
];
