import type { ApiDocument } from './document.ts';
import type { Operation } from './operation.ts';
import { answerAt, choiceAt, entryAt, mediaAt, parameterAt, propertyAt } from './places.ts';
import { operationsOf, type Reference } from './reference.ts';
import { readSchema } from './schema.ts';

export interface FoundOperation {
  readonly operation: Operation;
  /** Higher is better; comparable between searches for the same text. */
  readonly score: number;
  /** Where the field is that matches, as in an address (`?at=body.name`); null if the operation itself matches. */
  readonly at: string | null;
}

/** What a text is compared with, in lower case. */
interface Searched {
  /** Method, path, id and summary. */
  readonly near: string;
  readonly summary: string;
  readonly summaryWords: readonly string[];
  readonly segments: ReadonlySet<string>;
  /** Of the path and the id. */
  readonly nameWords: readonly string[];
  /** Tag and description. */
  readonly far: string;
}

/** Words that say nothing on their own. */
const FILLERS = new Set(['a', 'an', 'and', 'for', 'in', 'of', 'the', 'to', 'with']);

/**
 * The operations with every word of a text, best first: the words of its summary count most, then those of its path,
 * id, tag and description, then its fields, as far as they are indexed.
 */
export function searchOperations(reference: Reference, text: string): readonly FoundOperation[] {
  const words = searchedWords(text);
  if (words.length === 0) return operationsOf(reference).map((operation) => ({ operation, score: 1, at: null }));
  const phrase = words.join(' ');
  return operationsOf(reference)
    .flatMap((operation) => scored(operation, words, phrase) ?? [])
    .toSorted((one, other) => other.score - one.score);
}

/** Whether an operation's method, path, id or summary has every word. */
export function hasName(operation: Operation, words: readonly string[]): boolean {
  const { near } = searchedOf(operation);
  return words.every((word) => near.includes(word));
}

export function searchedWords(text: string): readonly string[] {
  const all = text.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = all.filter((word) => !FILLERS.has(word));
  return telling.length === 0 ? all : telling;
}

function scored(operation: Operation, words: readonly string[], phrase: string): FoundOperation | null {
  const searched = searchedOf(operation);
  const fields = fieldsOf.get(operation);
  let sum = 0;
  let at: string | null = null;
  for (const word of words) {
    const own = wordScore(searched, word);
    const field = own > 0 ? undefined : fields?.find((each) => each.lowerCase.includes(word));
    if (own === 0 && field === undefined) return null;
    at ??= field?.at ?? null;
    sum += own > 0 ? own : field?.lowerCase === word ? 4 : 1;
  }
  const { summary, summaryWords } = searched;
  const telling = summaryWords.filter((word) => !FILLERS.has(word));
  const matched = telling.filter((word) => words.some((each) => stem(each) === stem(word)));
  const coverage = telling.length === 0 ? 0 : matched.length / telling.length;
  const asPhrase = summary === phrase ? 20 : summary.startsWith(phrase) ? 8 : summary.includes(phrase) ? 4 : 0;
  const score = sum / words.length + 8 * coverage + asPhrase - (operation.lifecycle.deprecated ? 2 : 0);
  return { operation, score: Math.max(score, 0.1), at };
}

function wordScore(searched: Searched, word: string): number {
  const { near, segments, nameWords, far } = searched;
  const best = summaryScore(searched, word);
  const inPath = segments.has(word) || segments.has(`${word}s`);
  if (best > 0) return best + (inPath ? 6 : 0);
  if (inPath) return 10;
  if (nameWords.some((each) => stem(each) === stem(word))) return 7;
  if (nameWords.some((each) => each.startsWith(word))) return 5;
  if (near.includes(word)) return 3;
  return far.includes(word) ? 2 : 0;
}

function summaryScore({ summaryWords }: Searched, word: string): number {
  if (summaryWords.includes(word)) return 12;
  if (summaryWords.some((each) => stem(each) === stem(word))) return 11;
  return summaryWords.some((each) => each.startsWith(word)) ? 8 : 0;
}

/** Singular and plural are the same. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

const searchedAs = new WeakMap<Operation, Searched>();

function searchedOf(operation: Operation): Searched {
  const before = searchedAs.get(operation);
  if (before !== undefined) return before;
  const { method, path, id, summary, tag, description } = operation;
  const searched = {
    near: `${method} ${path} ${id} ${summary ?? ''}`.toLowerCase(),
    summary: (summary ?? '').toLowerCase(),
    summaryWords: wordsIn(summary ?? ''),
    segments: new Set(path.toLowerCase().split('/')),
    nameWords: [...wordsIn(path), ...wordsIn(id.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))],
    far: `${tag ?? ''} ${description ?? ''}`.toLowerCase(),
  };
  searchedAs.set(operation, searched);
  return searched;
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

interface IndexedField {
  readonly lowerCase: string;
  readonly at: string;
}

/** How deep a field may be nested to be found. */
const MAX_DEPTH = 5;
/** Fields of one operation, at most: schemas that refer to each other have no end. */
const MAX_FIELDS = 300;

const fieldsOf = new WeakMap<Operation, readonly IndexedField[]>();

/** Whether all operations are indexed. */
export function isIndexed(reference: Reference): boolean {
  return operationsOf(reference).every((operation) => fieldsOf.has(operation));
}

/**
 * Makes the parameters, and the fields of bodies, findable. Reading thousands takes long, so it pauses after each
 * operation.
 */
export function* indexFields(reference: Reference): Generator<void> {
  for (const operation of operationsOf(reference)) {
    if (fieldsOf.has(operation)) continue;
    fieldsOf.set(operation, readFields(reference.document, operation));
    yield;
  }
}

function readFields(document: ApiDocument, { parameters, body, answers }: Operation): readonly IndexedField[] {
  const fields = new Map<string, IndexedField>();
  const add = (name: string, at: string) => {
    if (!fields.has(name)) fields.set(name, { lowerCase: name.toLowerCase(), at });
  };
  for (const each of parameters) add(each.name, parameterAt(each));
  const roots = [
    ...(body?.media ?? []).map(({ schema }, index) => ({ schema, at: mediaAt('body', index) })),
    ...answers.flatMap(({ status, media }) =>
      media.map(({ schema }, index) => ({ schema, at: mediaAt(answerAt(status), index) })),
    ),
  ];
  const walk = (schema: unknown, at: string, depth: number) => {
    if (depth === MAX_DEPTH || fields.size >= MAX_FIELDS) return;
    const { properties, items, choices } = readSchema(document, schema);
    for (const { name } of properties) add(name, propertyAt(at, name));
    for (const property of properties) walk(property.schema, propertyAt(at, property.name), depth + 1);
    for (const choice of choices?.of ?? []) walk(choice.schema, choiceAt(at, choice.name), depth + 1);
    if (items !== undefined) walk(items, entryAt(at), depth + 1);
  };
  for (const { schema, at } of roots) walk(schema, at, 0);
  return [...fields.values()];
}
