/** The target of a link: a page of the portal, a section of a page, or an external URL. */
export type LinkTarget = { readonly page: string; readonly section?: string } | { readonly href: string };

export function safeTarget(url: string): LinkTarget | null {
  const href = safeAddress(url);
  return href === null ? null : { href };
}

/** The allowed schemes. Others may start a program on the user's machine. */
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** The base for parsing URLs without a scheme, which are relative to a page. */
const ANY_PAGE = 'https://portal.invalid/';

/**
 * Returns the URL if a link may lead to it, otherwise null. It parses the URL like a browser, because browsers ignore
 * tabs, line ends and control characters in a scheme.
 */
export function safeAddress(url: string): string | null {
  if (url === '' || !URL.canParse(url, ANY_PAGE)) return null;
  return PROTOCOLS.has(new URL(url, ANY_PAGE).protocol) ? url : null;
}
