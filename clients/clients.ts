import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Client {
  /** As in the table, with the options that its program sets. */
  readonly title: string;
  /** The npm package in `package.json`; null: `version` tells it. */
  readonly package: string | null;
  /** The command that runs its program. */
  readonly command: readonly [string, ...string[]];
}

const node = (program: string): readonly [string, ...string[]] => [process.execPath, `programs/${program}.ts`];

/** Each with the defaults of its documentation, or with the options that it shows for retries. */
export const clients: readonly Client[] = [
  { title: 'undici `RetryAgent`', package: 'undici', command: node('undici') },
  { title: 'got', package: 'got', command: node('got') },
  { title: 'ky', package: 'ky', command: node('ky') },
  { title: 'axios-retry, `exponentialDelay`', package: 'axios-retry', command: node('axios-retry') },
  { title: 'openai', package: 'openai-4', command: node('openai-4') },
  { title: 'openai', package: 'openai-6', command: node('openai-6') },
  { title: '@anthropic-ai/sdk', package: '@anthropic-ai/sdk', command: node('anthropic') },
  { title: '`curl --retry 5`', package: null, command: ['sh', 'programs/curl.sh'] },
  // Debian's own Python, which has the package python3-urllib3.
  { title: 'urllib3 `Retry(5)`', package: null, command: ['/usr/bin/python3', 'programs/with_urllib3.py'] },
];

/** The title with the exact version. */
export function nameOf({ title, package: name }: Client): string {
  return name === null ? title : `${title} ${versionOf(name)}`;
}

function versionOf(name: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  return (dependencies[name] ?? '').replace(/^npm:.*@/, '');
}
