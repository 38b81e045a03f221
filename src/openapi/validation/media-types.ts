/** A media type without its parameters, in lower case. */
export function mediaTypeEssence(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

export function isJsonType(essence: string): boolean {
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json');
}

/**
 * The most specific of some media types and ranges (`text/*`) that includes a type.
 *
 * @returns the index; -1 if none includes it
 */
export function findMediaType(ranges: readonly string[], essence: string): number {
  const index = ranges.indexOf(essence);
  if (index !== -1) return index;
  const ofType = ranges.indexOf(`${essence.split('/', 1)[0] ?? ''}/*`);
  return ofType === -1 ? ranges.indexOf('*/*') : ofType;
}
