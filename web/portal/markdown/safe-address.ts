/** The target of a link: a page of the portal, a section of it, or an external URL. */
export type LinkTarget = { readonly page: string; readonly section?: string } | { readonly href: string };

export function safeTarget(url: string): LinkTarget | null {
  const href = safeAddress(url);
  return href === null ? null : { href };
}

/** Only web and mail schemes. Other schemes may start a program on the user's machine. */
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** URLs without a scheme are relative to a page of the web. */
const ANY_PAGE = 'https://portal.invalid/';

/**
 * Returns the URL if a link may lead to it, otherwise null. Parses it as browsers do, because they remove tabs, line
 * ends and control characters from a scheme.
 */
export function safeAddress(url: string): string | null {
  if (url === '' || !URL.canParse(url, ANY_PAGE)) return null;
  return PROTOCOLS.has(new URL(url, ANY_PAGE).protocol) ? url : null;
}
