import { z } from 'zod';

const MIN_LENGTH = 32;

/** What keeps a token from opening the admin API, in words that do not quote it; null where nothing does. */
export function tokenFault(token: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(token)) return 'must be printable ASCII without spaces, and not empty';
  if (token.includes('${')) return 'holds ${…}, which nothing has replaced by the value of that variable';
  if (token.length >= MIN_LENGTH) return null;
  return `must have at least ${MIN_LENGTH} characters, or it can be guessed: make one with "openssl rand -hex 32"`;
}

/** What opens the admin API. */
export const tokenSchema = z.string().superRefine((token, context) => {
  const message = tokenFault(token);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
