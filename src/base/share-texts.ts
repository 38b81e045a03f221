import { LRUCache } from 'lru-cache';

/** Maximum number of different texts to remember. */
const MAX_TEXTS = 10_000;

/**
 * Creates a function that returns an equal text that it was given before, if there is one. A text that many
 * places hold then takes memory only once.
 */
export function createTextSharing(): (text: string) => string {
  const texts = new LRUCache<string, string>({ max: MAX_TEXTS });
  return (text) => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  };
}
