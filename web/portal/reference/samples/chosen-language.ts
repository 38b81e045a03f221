import { useSyncExternalStore } from 'react';
import { type Language, LANGUAGES } from './languages.ts';

const STORED_AS = 'tollgate-language';
const listeners = new Set<() => void>();

/** Returns the language of code that the user selected last, on any page, and a function that selects another. */
export function useChosenLanguage(): readonly [Language, (language: Language) => void] {
  return [useSyncExternalStore(listen, readStored), choose];
}

function choose(language: Language): void {
  localStorage.setItem(STORED_AS, language);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStored(): Language {
  const text = localStorage.getItem(STORED_AS);
  return isLanguage(text) ? text : 'curl';
}

export function isLanguage(text: string | null | undefined): text is Language {
  return typeof text === 'string' && Object.hasOwn(LANGUAGES, text);
}
