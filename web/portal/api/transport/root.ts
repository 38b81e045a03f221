/** The address of the portal, with a slash at its end: above the files of the build, wherever a proxy puts them. */
export const ROOT = new URL(import.meta.url.replace(/assets\/[^/]*$/, ''));

/** The address of something below the portal that is not a page, such as a file. */
export function fileAddress(path: string): string {
  return ROOT.href + path;
}
