import { findNearest } from '../../../src/base/portable/nearest.ts';
import { operationWords, splitWords } from '../reference/model/search.ts';
import { PAGE_WORDS } from './page-words.ts';
import type { SearchedData } from './searched.ts';

/** The length from which a word is corrected. A shorter word could be corrected to a very different one. */
const MIN_CORRECTED = 4;

/** The number of similar words that are tried in place of a misspelled one. */
const MAX_SIMILAR = 4;
const MAX_TEXTS = 8;

/**
 * Corrects a search text: words that occur nowhere are replaced by similar ones, and the other words stay. Returns the
 * corrected texts, with the most similar first.
 */
export function correctWords(text: string, searched: SearchedData): readonly string[] {
  const known = collectWords(searched);
  const all = [...known];
  const words = text.toLowerCase().split(/\s+/);
  const choices = words.map((word) => {
    if (word.length < MIN_CORRECTED || all.some((each) => each.includes(word))) return [word];
    const similar = findSimilar(word, known);
    return similar.length > 0 ? similar : [word];
  });
  const texts = choices
    .reduce<readonly string[]>(
      (before, each) => before.flatMap((start) => each.map((word) => `${start} ${word}`)),
      [''],
    )
    .map((each) => each.trim());
  return texts.filter((each) => each !== words.join(' ')).slice(0, MAX_TEXTS);
}

function findSimilar(word: string, known: ReadonlySet<string>): readonly string[] {
  const rest = new Set(known);
  const similar: string[] = [];
  while (similar.length < MAX_SIMILAR) {
    const nearest = findNearest(word, rest);
    if (nearest === null) break;
    similar.push(nearest);
    rest.delete(nearest);
  }
  return similar;
}

/**
 * Collects all words that can be found, in lower case. Names come before texts, because of several equally similar
 * words, the first is used.
 */
function collectWords({
  places,
  reference,
  index,
  events,
  errors,
  guides,
  webhooks,
}: SearchedData): ReadonlySet<string> {
  const names = [
    ...places.flatMap(({ label, to }) => [label, ...(PAGE_WORDS[to] ?? [])]),
    ...errors.map(({ code, status }) => `${code} ${code.replaceAll('_', ' ')} ${status}`),
    ...events.map(({ name }) => name),
    ...guides.flatMap(({ title, sections }) => [title, ...sections.map((section) => section.title)]),
    ...webhooks.flatMap(({ description, url }) => [description, url]),
  ];
  const texts = [
    ...guides.flatMap(({ sections }) => sections.map((section) => section.text)),
    ...(index?.descriptions ?? []),
  ];
  return new Set([
    ...(reference === null ? [] : operationWords(reference)),
    ...Object.keys(index?.fields ?? {}).map((name) => name.toLowerCase()),
    ...names.flatMap(withParts),
    ...texts.flatMap(withParts),
  ]);
}

/** Splits a text into words. A word with hyphens, dots or underscores is returned both as a whole and in its parts. */
function withParts(text: string): readonly string[] {
  // Remove a mark at the end of a word, which may be the end of a sentence.
  const written = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}._-]/u)
    .map((word) => word.replace(/[._-]$/, ''));
  return [...written.filter((word) => /^[^._-]/.test(word) && /[._-]/.test(word)), ...splitWords(text)];
}
