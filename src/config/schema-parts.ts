import { z } from 'zod';
import { isAddressRange, isLoopback } from '../http/addresses.ts';

/** The entries of a value that should be a list of objects, but is not validated yet. */
export function listEntries(list: unknown): Record<string, unknown>[] {
  return (Array.isArray(list) ? list : []).map((entry) => ({ ...Object(entry) }));
}

/** The entries where a text field has the same value as in an earlier entry. */
export function findRepeated(list: unknown, field: string): { index: number; value: string }[] {
  const seen = new Set<string>();
  return listEntries(list).flatMap(({ [field]: value }, index) => {
    if (typeof value !== 'string') return [];
    if (seen.has(value)) return [{ index, value }];
    seen.add(value);
    return [];
  });
}

/** An HTTP or HTTPS URL without query, fragment, user or password. */
export const plainUrl = z
  .string()
  .refine((text) => parsePlainUrl(text) !== null, 'must be an http:// or https:// URL without query, fragment or user');

/** A URL to which secrets are sent. Like `plainUrl`, but HTTP is allowed only on a loopback address. */
export const privateUrl = z
  .string()
  .refine(isPrivateUrl, 'must be an https:// URL (http:// on a loopback address) without query, fragment or user');

export function isPrivateUrl(text: string): boolean {
  const url = parsePlainUrl(text);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}

function parsePlainUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.search + url.hash + url.username + url.password === '' ? url : null;
}

/** An IP address or a CIDR range. */
export const addressRange = z
  .string()
  .refine(isAddressRange, 'must be an IP address or a CIDR range such as 10.0.0.0/8');

export const planId = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be the id of a plan');

export const nonEmptyText = z.string().min(1, 'must not be empty');

const pemFile = z.string('must be the path of a PEM file').min(1, 'must be the path of a PEM file');

/** A listener's certificate and key. */
export const tlsSchema = z.strictObject({ cert: pemFile, key: pemFile }).optional();
