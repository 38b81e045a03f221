import go from './verify.go?raw';
// oxlint-disable-next-line import/default -- Vite gives its text
import javascript from './verify.mjs?raw';
import python from './verify.py?raw';
import shell from './verify.sh?raw';
import type { Language } from '../samples/languages.ts';

/** How to tell that an event comes from the gateway, in the languages of the other samples, each with what it comes with. */
export const VERIFY_SAMPLES: Readonly<Record<Language, { readonly label: string; readonly text: string }>> = {
  curl: { label: 'Shell', text: shell },
  javascript: { label: 'JavaScript', text: javascript },
  python: { label: 'Python', text: python },
  go: { label: 'Go', text: go },
};
