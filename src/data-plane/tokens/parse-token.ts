import { isUtf8 } from 'node:buffer';
import { isDeeperThan, isObject, type JsonObject, repeatedNames } from '../../base/json.ts';
import { AMBIGUOUS } from '../credentials/presented-key.ts';

const AUTHORIZATION = 'authorization';
/**
 * Text with two dots. Much more is matched than a token may have, such as a second word: a service that reads more
 * leniently than the gateway must not see a token that the gateway did not check.
 */
const BEARER_TOKEN = /^bearer[ \t]+((?:[^ \t.][^.]*)?\.[^.]+\..*)$/is;
/**
 * The scheme anywhere in a value. Some services look for it at any place, or take other characters for spaces, such as a
 * no-break space.
 */
const BEARER = /bearer/i;
const TWO_DOTS = /\.[^.]+\./;
/** The form that a token must have (RFC 7515, 7.1). */
const WELL_FORMED = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** In characters. As long as all headers together may be by default. */
const MAX_TOKEN_LENGTH = 16_384;
const MAX_DEPTH = 32;

/**
 * Finds `Authorization`.
 *
 * @returns null if there is none; AMBIGUOUS if it was sent twice and has a token
 */
export function findAuthorization(rawHeaders: readonly string[]): string | typeof AMBIGUOUS | null {
  let found: string | null = null;
  let hasToken = false;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first rules out most headers.
    if (name.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
    const value = rawHeaders[index + 1] ?? '';
    if (authorizations++ > 0) hasToken ||= [value, found ?? ''].some((each) => bearerToken(each) !== null);
    found = value;
  }
  return hasToken ? AMBIGUOUS : found;
}

/** Nearly all values of `Authorization` with a token begin like this. */
const USUAL_BEGINNING = 'Bearer eyJ';
const SCHEME_LENGTH = 'Bearer '.length;

/** The text that is most likely the token, found without reading all of the value; null if there is none. */
export function guessToken(authorization: string): string | null {
  return authorization.startsWith(USUAL_BEGINNING) ? authorization.slice(SCHEME_LENGTH) : null;
}

/**
 * The text after `Bearer`, if it has the parts of a JWT. If `Bearer` is elsewhere in the value, all of the value, which is
 * no valid token.
 */
export function bearerToken(authorization: string): string | null {
  const token = BEARER_TOKEN.exec(authorization)?.[1];
  if (token !== undefined) return token;
  return BEARER.test(authorization) && TWO_DOTS.test(authorization) ? authorization : null;
}

/** The issuer that an unverified token names. */
export interface UnverifiedIssuer {
  readonly issuer: unknown;
  /** Why programs may differ in the issuer that they read, as a phrase that follows “The token”; null if they do not. */
  readonly ambiguity: string | null;
}

/** Claims that name an issuer have more characters. */
const MIN_CLAIMS_LENGTH = 12;
/** A signed token has three parts, an encrypted one five. Reading hundreds of parts would take milliseconds. */
const MAX_PARTS = 16;

/**
 * The issuers in a text. A token names one. Other texts may have several parts that a lenient program reads as claims.
 */
export function readIssuers(token: string): UnverifiedIssuer[] {
  const parts = token.split('.', MAX_PARTS + 1);
  if (parts.length > MAX_PARTS) return [{ issuer: undefined, ambiguity: `has more than ${MAX_PARTS} parts` }];
  return parts
    .slice(1, -1)
    .filter(({ length }) => length >= MIN_CLAIMS_LENGTH)
    .flatMap((part) => readIssuer(part) ?? []);
}

/** @returns null if the part has no claims */
function readIssuer(part: string): UnverifiedIssuer | null {
  const payload = decodePart(part);
  if (payload === null) {
    // Some programs accept claims that are not quite JSON, for example with a byte order mark, NaN or a comment.
    return areNearlyClaims(part) ? { issuer: undefined, ambiguity: 'has claims that are not JSON' } : null;
  }
  const { text, value } = payload;
  // Some programs ignore the case of names.
  const names = Object.keys(value).filter((name) => name.toUpperCase() === 'ISS');
  if (repeatedNames(text).has('iss')) return { issuer: value['iss'], ambiguity: 'names its issuer twice' };
  const isExact = names.every((name) => name === 'iss');
  return { issuer: value['iss'], ambiguity: isExact ? null : 'names its issuer in another claim than iss' };
}

/** An object that may have `iss`, perhaps with escapes, after characters that some programs skip. */
const NEARLY_CLAIMS = /^[\s\p{Cc}\ufeff]*\{.*(?:iss|\\)/isu;

/** Encrypted parts of other tokens are no text, so they are never taken for claims by chance. */
function areNearlyClaims(part: string): boolean {
  const bytes = Buffer.from(part, 'base64url');
  return isUtf8(bytes) && NEARLY_CLAIMS.test(bytes.toString());
}

/** The parts of a token. Nothing in them is verified. */
export interface UnverifiedToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** @returns a reason why the token is malformed, as a phrase that follows “The token”, or the parts of the token */
export function parseToken(token: string): UnverifiedToken | string {
  if (token.length > MAX_TOKEN_LENGTH) return `has more than ${MAX_TOKEN_LENGTH} characters`;
  if (!WELL_FORMED.test(token)) return 'is not a signed JSON Web Token';
  const [header = null, claims = null] = token.split('.', 2).map(decodePart);
  if (header === null || claims === null || !header.isUtf8 || !claims.isUtf8) return 'has a part that is not JSON';
  for (const { text } of [header, claims]) {
    if (isDeeperThan(MAX_DEPTH, text)) return 'is nested too deeply';
    if (repeatedNames(text).size > 0) return 'has a name twice';
  }
  return { header: header.value, claims: claims.value };
}

interface DecodedPart {
  readonly text: string;
  readonly value: JsonObject;
  readonly isUtf8: boolean;
}

function decodePart(part: string): DecodedPart | null {
  const bytes = Buffer.from(part, 'base64url');
  const text = bytes.toString();
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { text, value, isUtf8: isUtf8(bytes) } : null;
  } catch {
    return null;
  }
}
