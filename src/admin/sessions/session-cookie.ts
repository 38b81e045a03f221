const PLAIN = 'tollgate-console';
/** Browsers keep such a cookie only if it came over TLS, for this host alone and for all of it (RFC 6265bis, 4.1.3.2). */
const SECURE = `__Host-${PLAIN}`;

export interface SessionCookie {
  readonly name: string;
  readonly secret: string;
  readonly secure: boolean;
}

export function cookieName(secure: boolean): string {
  return secure ? SECURE : PLAIN;
}

/**
 * The session's cookie in a `Cookie` header; null if there is none, or if it is there twice: another service on this
 * host has then added one of its own.
 */
export function readSessionCookie(header: string | undefined): SessionCookie | null {
  if (header === undefined || !header.includes(PLAIN)) return null;
  return readCookie(header, SECURE, true) ?? readCookie(header, PLAIN, false);
}

function readCookie(header: string, name: string, secure: boolean): SessionCookie | null {
  const values = cookieValues(header, name);
  return values.length === 1 ? { name, secret: values[0] ?? '', secure } : null;
}

export function cookieValues(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** @param maxAgeMs how long the browser keeps it; 0 deletes it */
export function setSessionCookie(secure: boolean, secret: string, maxAgeMs: number): string {
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  return `${cookieName(secure)}=${secret}; ${attributes}${secure ? '; Secure' : ''}`;
}

export function clearSessionCookie(secure: boolean): string {
  return setSessionCookie(secure, '', 0);
}
