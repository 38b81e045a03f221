import type { Operation } from './operation.ts';

/** The operations with every word of a text; matches in the name or path come first. */
export function searchOperations(operations: readonly Operation[], text: string): readonly Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = operations.map((operation) => ({ operation, score: scoreOf(operation, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ operation }) => operation);
}

/** 0 unless all words are found. */
function scoreOf(operation: Operation, words: readonly string[]): number {
  const { id, method, path, summary, description, tag, parameters } = operation;
  const near = `${method} ${path} ${id} ${summary ?? ''}`.toLowerCase();
  const far = `${tag ?? ''} ${description ?? ''} ${parameters.map(({ name }) => name).join(' ')}`.toLowerCase();
  if (!words.every((word) => near.includes(word) || far.includes(word))) return 0;
  return 1 + words.filter((word) => near.includes(word)).length;
}
