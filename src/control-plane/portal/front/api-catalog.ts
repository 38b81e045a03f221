/** The catalog that is served while the portal does not listen yet. */
export const EMPTY_CATALOG = JSON.stringify({ linkset: [] });

/**
 * Formats the catalog of a host with one API as a set of links (RFC 9264).
 *
 * @param apiUrl URL of the API
 * @param portalUrl URL of the portal, with a trailing slash
 */
export function formatApiCatalog(apiUrl: string, portalUrl: string): string {
  const resolveUrl = (path: string) => new URL(path, portalUrl).href;
  return JSON.stringify({
    linkset: [
      {
        anchor: apiUrl,
        'service-desc': [{ href: resolveUrl('api/public/reference'), type: 'application/json' }],
        'service-doc': [
          { href: resolveUrl('reference'), type: 'text/html' },
          { href: resolveUrl('reference.md'), type: 'text/markdown' },
        ],
        'service-meta': [{ href: resolveUrl('llms.txt'), type: 'text/plain' }],
      },
    ],
  });
}
