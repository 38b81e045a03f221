import { curlSample } from './curl.ts';
import type { SampledCall } from './sample.ts';

export type Language = 'curl' | 'javascript' | 'python' | 'go' | 'java' | 'csharp' | 'ruby' | 'php';

export type MakeSample = (call: SampledCall) => string;

interface LanguageSamples {
  readonly label: string;
  readonly load: () => MakeSample | Promise<MakeSample>;
}

/**
 * The languages of the code samples, in the order of the tabs. All but the first are loaded when they are first shown.
 */
export const LANGUAGES: Readonly<Record<Language, LanguageSamples>> = {
  curl: { label: 'curl', load: () => curlSample },
  javascript: { label: 'JavaScript', load: async () => (await import('./javascript.ts')).javascriptSample },
  python: { label: 'Python', load: async () => (await import('./python.ts')).pythonSample },
  go: { label: 'Go', load: async () => (await import('./go.ts')).goSample },
  java: { label: 'Java', load: async () => (await import('./java.ts')).javaSample },
  csharp: { label: 'C#', load: async () => (await import('./csharp.ts')).csharpSample },
  ruby: { label: 'Ruby', load: async () => (await import('./ruby.ts')).rubySample },
  php: { label: 'PHP', load: async () => (await import('./php.ts')).phpSample },
};

/** Finds the language in a title such as "Python" or "JavaScript (Node)". Null if there is none. */
export function findLanguage(title: string): Language | null {
  const [name] = title.split(' (');
  const found = Object.entries(LANGUAGES).find(([, { label }]) => label === name);
  return found === undefined ? null : (found[0] as Language);
}
