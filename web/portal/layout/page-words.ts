/** Synonyms by which the search finds a page. */
export const PAGE_WORDS: Readonly<Record<string, readonly string[]>> = {
  '/keys': ['token', 'credential', 'secret'],
  '/usage': ['quota', 'traffic', 'statistics'],
  '/requests': ['why', '429', '403', 'blocked'],
  '/changes': ['deprecated', 'sunset', 'removed', 'breaking'],
  '/plans': ['price', 'pricing', 'cost', 'upgrade', 'quota'],
  '/webhooks': ['callback', 'notification'],
};
