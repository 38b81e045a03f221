import type { ListedOperation } from './listed-operation.ts';

/** Words without a meaning of their own, which the search ignores. */
export const FILLERS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'the', 'to', 'with']);

/** Splits a search text into words, in lower case. */
export function searchedWords(text: string): readonly string[] {
  const all = text.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = all.filter((word) => !FILLERS.has(word));
  return telling.length === 0 ? all : telling;
}

/** True if the method, path, id or summary of an operation contains every word. */
export function hasName(operation: ListedOperation, words: readonly string[]): boolean {
  const text = joinNames(operation);
  return words.every((word) => text.includes(word));
}

/** Joins the method, path, id and summary, in lower case. */
export function joinNames({ method, path, id, summary }: ListedOperation): string {
  return `${method} ${path} ${id} ${summary ?? ''}`.toLowerCase();
}
