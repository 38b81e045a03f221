/**
 * The URL of the portal, with a slash at its end. It is above the files of the build, below the path prefix of a
 * reverse proxy, if any.
 */
export const ROOT = new URL(import.meta.url.replace(/assets\/[^/]*$/, ''));

/** The URL of something below the portal that is not a page, such as a file. */
export function fileAddress(path: string): string {
  return ROOT.href + path;
}
