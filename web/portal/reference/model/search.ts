import type { SearchIndex } from '../../api/reference.ts';
import type { ListedOperation } from './listed-operation.ts';
import { FILLERS, joinNames, searchedWords } from './operation-name.ts';
import { operationsOf, type Reference } from './reference.ts';

export interface FoundOperation {
  readonly operation: ListedOperation;
  /** A higher score is a better match. Scores are comparable between searches for the same text. */
  readonly score: number;
  /** The name of the field that matches. Null if the operation itself matches. */
  readonly field: string | null;
}

/** The texts of an operation that are searched, in lower case. */
interface Searched {
  /** The method, path, id and summary. */
  readonly near: string;
  readonly summary: string;
  readonly summaryWords: readonly string[];
  readonly segments: ReadonlySet<string>;
  /** The words of the path and the id. */
  readonly nameWords: readonly string[];
  readonly tag: string;
  /** The texts that can match exactly: id, summary, path, and the method with the path. */
  readonly names: readonly string[];
}

/** The score of an exact match with an id, title or path. No other score is higher. */
export const EXACT = 40;

/** Normalizes a text for comparisons, which ignore case and the amount of white space. */
export function normalizeText(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

/**
 * Finds the operations that contain every word of a text. Exact matches with the id, summary or path come first, then
 * words in the summary, then words in the path, id, tag and description, and finally words in fields.
 *
 * @param index undefined until it is loaded; until then, descriptions and fields are not searched
 */
export function searchOperations(
  reference: Reference,
  text: string,
  index: SearchIndex | undefined,
): readonly FoundOperation[] {
  const words = searchedWords(text);
  if (words.length === 0) return operationsOf(reference).map((operation) => ({ operation, score: 1, field: null }));
  const wanted = {
    exact: normalizeText(text),
    phrase: words.join(' '),
    words: words.map((word) => findMatches(index, word)),
  };
  return operationsOf(reference)
    .flatMap((operation) => scored(operation, wanted) ?? [])
    .toSorted((one, other) => other.score - one.score);
}

/** Collects the words by which operations are found, in lower case. */
export function operationWords(reference: Reference): readonly string[] {
  return operationsOf(reference).flatMap((operation) => {
    const { summaryWords, nameWords, tag } = createSearchTexts(operation);
    return [...summaryWords, ...nameWords, ...splitWords(tag)];
  });
}

/** The matches of one word in the search index. Operations are identified by their id. */
interface WordMatches {
  readonly word: string;
  readonly inDescription: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, FieldMatch>;
}

interface FieldMatch {
  readonly name: string;
  readonly score: number;
}

const EXACT_FIELD = 4;
const PART_OF_FIELD = 1;

function findMatches(index: SearchIndex | undefined, word: string): WordMatches {
  const { operations = [], descriptions = [], fields: byName = {} } = index ?? {};
  const fields = new Map<string, FieldMatch>();
  for (const [name, positions] of Object.entries(byName)) {
    const lower = name.toLowerCase();
    if (!lower.includes(word)) continue;
    const best = lower === word ? EXACT_FIELD : PART_OF_FIELD;
    for (const [rank, position] of positions.entries()) {
      const id = operations[position] ?? '';
      // The index lists operations by the importance of the field in them. The small deduction keeps that order, and
      // never moves a worse match before a better one.
      const score = best - rank / positions.length;
      if (score > (fields.get(id)?.score ?? 0)) fields.set(id, { name, score });
    }
  }
  const inDescription = operations.filter((_, position) => descriptions[position]?.toLowerCase().includes(word));
  return { word, inDescription: new Set(inDescription), fields };
}

function scored(
  operation: ListedOperation,
  { exact, words, phrase }: { readonly exact: string; readonly words: readonly WordMatches[]; readonly phrase: string },
): FoundOperation | null {
  const searched = createSearchTexts(operation);
  let sum = 0;
  let field: string | null = null;
  for (const { word, inDescription, fields } of words) {
    const named = wordScore(searched, word);
    const byName = named > 0 ? undefined : fields.get(operation.id);
    const isField = byName?.name.toLowerCase() === word;
    const own = named || (inDescription.has(operation.id) && !isField ? 2 : 0);
    const found = own > 0 ? undefined : byName;
    if (own === 0 && found === undefined) return null;
    field ??= found?.name ?? null;
    sum += own > 0 ? own : (found?.score ?? 0);
  }
  const { summary, summaryWords } = searched;
  const telling = summaryWords.filter((word) => !FILLERS.has(word));
  const matched = telling.filter((word) => words.some((each) => findStem(each.word) === findStem(word)));
  const coverage = telling.length === 0 ? 0 : matched.length / telling.length;
  const asPhrase = summary.startsWith(phrase) ? 8 : summary.includes(phrase) ? 4 : 0;
  const asWords = sum / words.length + 8 * coverage + asPhrase;
  const score = (searched.names.includes(exact) ? EXACT : asWords) - (operation.lifecycle.deprecated ? 2 : 0);
  return { operation, score: Math.max(score, 0.1), field };
}

function wordScore(searched: Searched, word: string): number {
  const { near, segments, nameWords, tag } = searched;
  const best = summaryScore(searched, word);
  const inPath = segments.has(word) || segments.has(`${word}s`);
  if (best > 0) return best + (inPath ? 6 : 0);
  if (inPath) return 10;
  if (nameWords.some((each) => findStem(each) === findStem(word))) return 7;
  if (nameWords.some((each) => each.startsWith(word))) return 5;
  if (near.includes(word)) return 3;
  return tag.includes(word) ? 2 : 0;
}

function summaryScore({ summaryWords }: Searched, word: string): number {
  if (summaryWords.includes(word)) return 12;
  if (summaryWords.some((each) => findStem(each) === findStem(word))) return 11;
  return summaryWords.some((each) => each.startsWith(word)) ? 8 : 0;
}

/** Removes the plural ending, so that singular and plural match. */
function findStem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

const searchedAs = new WeakMap<ListedOperation, Searched>();

function createSearchTexts(operation: ListedOperation): Searched {
  const before = searchedAs.get(operation);
  if (before !== undefined) return before;
  const { method, path, id, summary, tag } = operation;
  const searched = {
    near: joinNames(operation),
    summary: (summary ?? '').toLowerCase(),
    summaryWords: splitWords(summary ?? ''),
    segments: new Set(path.toLowerCase().split('/')),
    nameWords: [...splitWords(path), ...splitWords(id.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))],
    tag: (tag ?? '').toLowerCase(),
    names: [id, summary ?? '', path, `${method} ${path}`].map(normalizeText),
  };
  searchedAs.set(operation, searched);
  return searched;
}

/** Splits a text into words, in lower case. */
export function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
