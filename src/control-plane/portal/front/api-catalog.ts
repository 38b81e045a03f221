/** The catalog that is served while the portal does not listen yet. */
export const NO_APIS = JSON.stringify({ linkset: [] });

/**
 * Formats the catalog of a host with one API as a set of links (RFC 9264).
 *
 * @param apiUrl URL of the API
 * @param portalUrl URL of the portal, with a trailing slash
 */
export function apiCatalog(apiUrl: string, portalUrl: string): string {
  const at = (path: string) => new URL(path, portalUrl).href;
  return JSON.stringify({
    linkset: [
      {
        anchor: apiUrl,
        'service-desc': [{ href: at('api/public/reference'), type: 'application/json' }],
        'service-doc': [
          { href: at('reference'), type: 'text/html' },
          { href: at('reference.md'), type: 'text/markdown' },
        ],
        'service-meta': [{ href: at('llms.txt'), type: 'text/plain' }],
      },
    ],
  });
}
