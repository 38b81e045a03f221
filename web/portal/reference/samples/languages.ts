import { csharpSample } from './csharp.ts';
import { curlSample } from './curl.ts';
import { goSample } from './go.ts';
import { javaSample } from './java.ts';
import { javascriptSample } from './javascript.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import { rubySample } from './ruby.ts';
import type { SampledCall } from './sample.ts';

export type Language = 'curl' | 'javascript' | 'python' | 'go' | 'java' | 'csharp' | 'ruby' | 'php';

/** The languages of the code samples, in the order in which they are offered. */
export const LANGUAGES: Readonly<
  Record<Language, { readonly label: string; readonly sample: (call: SampledCall) => string }>
> = {
  curl: { label: 'curl', sample: curlSample },
  javascript: { label: 'JavaScript', sample: javascriptSample },
  python: { label: 'Python', sample: pythonSample },
  go: { label: 'Go', sample: goSample },
  java: { label: 'Java', sample: javaSample },
  csharp: { label: 'C#', sample: csharpSample },
  ruby: { label: 'Ruby', sample: rubySample },
  php: { label: 'PHP', sample: phpSample },
};
