/**
 * Endings that make a path malformed, because programs could interpret it as different paths. Append them to an
 * existing path, such as `/echo`.
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
  ['an encoded slash in lower case', '/a%2fb'],
  ['an encoded dot segment before an encoded slash', '/%2e%2e%2fstatus'],
  ['an encoded NUL', '/a%00'],
  ['an encoded CRLF', '/a%0d%0aX-Consumer-Id:%20root'],
  ['an encoded DEL', '/a%7F'],
  ['an encoded C1 control character', '/a%C2%85'],
  ['a percent sign without hex digits', '/%zz'],
  ['a percent sign at the end', '/%'],
  ['an escape that is not valid UTF-8', '/%ff'],
  ['a truncated UTF-8 sequence', '/%e2%82'],
  ['an encoded surrogate', '/%ed%a0%80'],
  ['an overlong encoding of a slash', '/%c0%af'],
  ['an overlong encoding of dots', '/%c0%ae%c0%ae'],
  ['a raw quote', '/"'],
  ['a raw brace', '/{id}'],
  ['a raw angle bracket', '/<a>'],
  ['a fragment', '/a#b'],
];
