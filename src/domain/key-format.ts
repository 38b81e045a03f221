import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomBase62, createRandomId } from '../base/secrets.ts';

/** The prefix of every key. */
export const BRAND = 'tg_live_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const CHECKED_LENGTH = BRAND.length + RANDOM_LENGTH;
const SECRET_LENGTH = CHECKED_LENGTH + CHECKSUM_LENGTH;
const PREFIX_LENGTH = BRAND.length + 4;

/** The part of a secret that may be stored and shown: enough to recognize the key, but too little to use it. */
export interface KeyPreview {
  /** SHA-256 of the secret, base64url. */
  readonly hash: string;
  readonly prefix: string;
  readonly lastFour: string;
}

/** A format of foreign keys, which another gateway created: the header that they are sent in, and their form. */
export interface ForeignKeyFormat {
  readonly header: string;
  /** The scheme before the key, such as Bearer, in any case; undefined: the key is the whole value. */
  readonly scheme?: string | undefined;
  /** Undefined: every value of the header counts as a key if it has the scheme and a permitted length. */
  readonly prefix?: string | undefined;
  /** Number of characters, including the prefix. */
  readonly minLength: number;
  /** Undefined: without a prefix, `DEFAULT_MAX_LENGTH`; with one, any length. */
  readonly maxLength?: number | undefined;
}

/** Maximum length of a key, in characters, if its format sets neither a prefix nor `maxLength`. */
export const DEFAULT_MAX_LENGTH = 256;

/** Generates the secret of a new key. It is shown once and never stored. */
export function generateSecret(): string {
  const checkedPart = BRAND + randomBase62(RANDOM_LENGTH);
  return checkedPart + computeChecksum(checkedPart);
}

export function generateKeyId(): string {
  return createRandomId('key');
}

export function createKeyPreview(secret: string): KeyPreview {
  return { hash: hashSecret(secret), prefix: secret.slice(0, PREFIX_LENGTH), lastFour: secret.slice(-4) };
}

/**
 * Hashes a secret for storage. A plain digest is safe, because a secret has over 190 random bits and cannot be guessed.
 * It takes only about 1 µs.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Converts a SHA-256 from hexadecimal to the form in which hashes are stored. */
export function convertHexHash(sha256: string): string {
  return Buffer.from(sha256, 'hex').toString('base64url');
}

/** Whether a text has the form of a key of this gateway, including its checksum. Other texts need no lookup. */
export function isWellFormed(text: string): boolean {
  if (text.length !== SECRET_LENGTH || !text.startsWith(BRAND)) return false;
  for (let index = BRAND.length; index < CHECKED_LENGTH; index++) {
    if (toDigit(text.charCodeAt(index)) < 0) return false;
  }
  let claimedChecksum = 0;
  for (let index = CHECKED_LENGTH; index < SECRET_LENGTH; index++) {
    const digit = toDigit(text.charCodeAt(index));
    if (digit < 0) return false;
    claimedChecksum = claimedChecksum * 62 + digit;
  }
  return claimedChecksum === crc32(text.slice(0, CHECKED_LENGTH));
}

/** Computes the checksum of a key: CRC-32 (IEEE) in base62, most significant digit first, zero-padded. */
export function computeChecksum(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  for (let count = 0; count < CHECKSUM_LENGTH; count++) {
    digits = BASE62.charAt(remainder % 62) + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}

function toDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 90) return code - 55;
  if (code >= 97 && code <= 122) return code - 61;
  return -1;
}
