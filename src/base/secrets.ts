import { customAlphabet } from 'nanoid';
import { hash, randomBytes } from 'node:crypto';

/** The digits of base 62, in ascending order. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of random digits in an id. */
const ID_LENGTH = 20;

/** Creates a string of secure, uniformly distributed random digits. */
export const randomBase62: (length: number) => string = customAlphabet(BASE62);

/** Creates an id. @param kind the prefix, such as `key` for `key_…` */
export function createRandomId(kind: string): string {
  return `${kind}_${randomBase62(ID_LENGTH)}`;
}

// The secrets of session cookies and sign-in links cannot be shown again later, because only their hashes are stored.

const SESSION_ID_BYTES = 10;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const LINK_TOKEN = /^once_[A-Za-z0-9_-]{43}$/;

/** Creates a session id: `ses_` and 20 random hexadecimal digits. */
export function createSessionId(): string {
  return `ses_${randomBytes(SESSION_ID_BYTES).toString('hex')}`;
}

export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function createLinkToken(): string {
  return `once_${createSecret()}`;
}

export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

export function isLinkToken(text: string): boolean {
  return LINK_TOKEN.test(text);
}

/** Hashes a secret so that it is valid for one use only. @param use the name of the cookie, or the kind of link */
export function hashForUse(use: string, secret: string): string {
  return hash('sha256', `${use}=${secret}`, 'base64url');
}

/** Minimum length of a token for the admin API, in characters. */
const MIN_TOKEN_LENGTH = 32;

/** Explains why a text is not a valid token for the admin API; null if it is valid. Never quotes the text. */
export function findTokenFault(token: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(token)) return 'must be printable ASCII without spaces, and not empty';
  if (token.includes('${')) return 'contains ${…}: the variable was not replaced by its value';
  if (token.length >= MIN_TOKEN_LENGTH) return null;
  return `must have at least ${MIN_TOKEN_LENGTH} characters, so that it cannot be guessed: create one with "openssl rand -hex 32"`;
}
