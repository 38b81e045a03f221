import { curlSample } from './curl.ts';
import { goSample } from './go.ts';
import { javascriptSample } from './javascript.ts';
import { pythonSample } from './python.ts';
import type { SampledCall } from './sample.ts';

export type Language = 'curl' | 'javascript' | 'python' | 'go';

/** The languages of the code samples, in the order in which they are offered. */
export const LANGUAGES: Readonly<
  Record<Language, { readonly label: string; readonly sample: (call: SampledCall) => string }>
> = {
  curl: { label: 'curl', sample: curlSample },
  javascript: { label: 'JavaScript', sample: javascriptSample },
  python: { label: 'Python', sample: pythonSample },
  go: { label: 'Go', sample: goSample },
};
