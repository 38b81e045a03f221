/** A path of a listener below a URL, which may have a path of its own. */
export function at(base: URL, path: string): string {
  return `${base.origin}${base.pathname.replace(/\/$/, '')}${path}`;
}
