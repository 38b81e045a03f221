/**
 * The URL of the portal, with a slash at its end. It is derived from the URL of this module, which is below it, so that
 * it includes the path prefix of a reverse proxy.
 */
export const ROOT = new URL(import.meta.url.replace(/assets\/[^/]*$/, ''));

/** The URL of something below the portal that is not a page, such as a file or the API. */
export function fileAddress(path: string): string {
  return ROOT.href + path;
}
