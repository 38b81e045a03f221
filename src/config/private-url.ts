import { z } from 'zod';
import { isLoopback } from '../base/loopback.ts';

/** A URL of HTTP or HTTPS that has neither a query nor a fragment, and names nobody. */
export const plainUrl = z
  .string()
  .refine((text) => parsed(text) !== null, 'must be an http:// or https:// URL without query, fragment or user');

/** Secrets go to such a URL. */
export const privateUrl = z
  .string()
  .refine(isPrivateUrl, 'must be an https:// URL (http:// on a loopback address) without query, fragment or user');

function isPrivateUrl(text: string): boolean {
  const url = parsed(text);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}

function parsed(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.search + url.hash + url.username + url.password === '' ? url : null;
}
