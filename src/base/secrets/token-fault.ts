const MIN_LENGTH = 32;

/** Why a text is no valid token for the admin API, without quoting it; null if it is valid. */
export function tokenFault(token: string): string | null {
  if (!/^[\x21-\x7e]+$/.test(token)) return 'must be printable ASCII without spaces, and not empty';
  if (token.includes('${')) return 'holds ${…}, which nothing has replaced by the value of that variable';
  if (token.length >= MIN_LENGTH) return null;
  return `must have at least ${MIN_LENGTH} characters, or it can be guessed: make one with "openssl rand -hex 32"`;
}
