/** API keys where they do not belong, such as in a path that is about to be logged. */

const KEY = /tg_live_[A-Za-z0-9]+/g;

export function looksLikeKey(text: string): boolean {
  return text.includes('tg_live_');
}

export function withoutKeys(text: string): string {
  return looksLikeKey(text) ? text.replace(KEY, 'tg_live_…') : text;
}
