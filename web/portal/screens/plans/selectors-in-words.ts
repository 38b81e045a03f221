const TAG = 'tag:';

/** "Only getStatus, and operations tagged pets, orders": which operations a plan includes, by its selectors. */
export function includedInWords(selectors: readonly string[] | null): string {
  if (selectors === null) return 'All operations';
  const tags = selectors.filter((selector) => selector.startsWith(TAG)).map((selector) => selector.slice(TAG.length));
  const ids = selectors.filter((selector) => !selector.startsWith(TAG));
  const tagged = tags.length === 0 ? [] : [`operations tagged ${tags.join(', ')}`];
  const named = ids.length === 0 ? [] : [ids.join(', ')];
  return `Only ${[...named, ...tagged].join(', and ')}`;
}
