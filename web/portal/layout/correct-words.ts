import { findNearest } from '../../../src/base/portable/nearest.ts';
import { operationWords, wordsIn } from '../reference/model/search.ts';
import { PAGE_WORDS } from './page-words.ts';
import type { Searched } from './searched.ts';

/** A shorter word could be corrected to a very different one. */
const MIN_CORRECTED = 4;

/** Similar words that are tried in place of one. */
const MAX_SIMILAR = 4;
const MAX_TEXTS = 8;

/** Texts in which similar words replace those that occur nowhere, most similar first. The other words stay. */
export function correctWords(text: string, searched: Searched): readonly string[] {
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

/** All words that can be found, in lower case. Of several that are equally similar, the first is taken: names do. */
function collectWords({ places, reference, index, events, errors, guides, webhooks }: Searched): ReadonlySet<string> {
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

/** The words of a text, and those with a hyphen, dot or the like between them as they are written. */
function withParts(text: string): readonly string[] {
  // The last character may be the end of a sentence.
  const written = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}._-]/u)
    .map((word) => word.replace(/[._-]$/, ''));
  return [...written.filter((word) => /^[^._-]/.test(word) && /[._-]/.test(word)), ...wordsIn(text)];
}
