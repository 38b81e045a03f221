import { hash, randomBytes } from 'node:crypto';

/** Secrets of session cookies and sign-in links. They are given out once, and only their hashes are kept. */

const SESSION_ID_BYTES = 10;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const LINK_TOKEN = /^once_[A-Za-z0-9_-]{43}$/;

/** `ses_` and 20 random hexadecimal digits. */
export function newSessionId(): string {
  return `ses_${randomBytes(SESSION_ID_BYTES).toString('hex')}`;
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function newLinkToken(): string {
  return `once_${newSecret()}`;
}

export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

export function isLinkToken(text: string): boolean {
  return LINK_TOKEN.test(text);
}

/** @param use the name of the cookie or kind of link: a secret given out for one use is worth nothing for another */
export function hashForUse(use: string, secret: string): string {
  return hash('sha256', `${use}=${secret}`, 'base64url');
}
