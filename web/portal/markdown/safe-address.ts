/** Where a link leads: to a page of the portal or a section of it, or elsewhere. */
export type LinkTarget = { readonly page: string; readonly section?: string } | { readonly href: string };

export function safeTarget(url: string): LinkTarget | null {
  const href = safeAddress(url);
  return href === null ? null : { href };
}

/** Only the web and mail: any other may start a program of the reader's machine. */
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
/** Addresses without a scheme are relative to a page of the web. */
const ANY_PAGE = 'https://portal.invalid/';

/**
 * An address that a link may lead to, or null. It is parsed as browsers do, because they remove tabs, line ends and
 * control characters from a scheme.
 */
export function safeAddress(url: string): string | null {
  if (url === '' || !URL.canParse(url, ANY_PAGE)) return null;
  return PROTOCOLS.has(new URL(url, ANY_PAGE).protocol) ? url : null;
}
