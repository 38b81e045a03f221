import { resolve } from 'node:path';

/** Where the records are. A URL may contain a password: not for logs. */
export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads `sqlite:FILE` (relative to the data directory) or `postgres://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE` with
 * reserved characters percent-encoded.
 *
 * @returns null if the text is neither
 */
export function parseDatabase(text: string, dataDir: string): DatabaseLocation | null {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', file: resolve(dataDir, file) };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { pathname, username, password } = new URL(text);
  if (pathname.length < 2 || !isName(username) || !isName(password)) return null;
  return { kind: 'postgres', url: text };
}

/** Whether a part of a URL can be decoded to text that PostgreSQL's protocol can carry, which ends strings with NUL. */
function isName(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0');
  } catch {
    return false;
  }
}
