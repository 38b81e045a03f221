/** Where a link leads: to a page of the portal or a section of it, or elsewhere. */
export type LinkTarget = { readonly page: string; readonly section?: string } | { readonly href: string };

export function safeTarget(url: string): LinkTarget | null {
  const href = safeAddress(url);
  return href === null ? null : { href };
}

/** An address that a link may lead to, or null: only the web, mail, and places relative to the page. */
export function safeAddress(url: string): string | null {
  if (/^[/#?.]/.test(url)) return url;
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0].toLowerCase();
  if (scheme === undefined) return url === '' ? null : url;
  return ['http', 'https', 'mailto'].includes(scheme) ? url : null;
}
