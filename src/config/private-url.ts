import { z } from 'zod';
import { isLoopback } from '../base/loopback.ts';

function isPrivateUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Secrets go to such a URL. */
export const privateUrl = z
  .string()
  .refine(isPrivateUrl, 'must be an https:// URL (http:// on a loopback address) without query, fragment or user');
