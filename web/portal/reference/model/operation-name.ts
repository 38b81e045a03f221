import type { ListedOperation } from './listed-operation.ts';

/** Words that mean nothing on their own. */
export const FILLERS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'the', 'to', 'with']);

/** The words of a search text, in lower case. */
export function searchedWords(text: string): readonly string[] {
  const all = text.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = all.filter((word) => !FILLERS.has(word));
  return telling.length === 0 ? all : telling;
}

/** Whether an operation's method, path, id or summary has every word. */
export function hasName(operation: ListedOperation, words: readonly string[]): boolean {
  const text = nameText(operation);
  return words.every((word) => text.includes(word));
}

/** Method, path, id and summary in lower case. */
export function nameText({ method, path, id, summary }: ListedOperation): string {
  return `${method} ${path} ${id} ${summary ?? ''}`.toLowerCase();
}
