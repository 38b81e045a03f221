import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Language, LANGUAGES } from '../../web/portal/reference/samples/languages.ts';

interface Runner {
  readonly program: string;
  /** The argument that makes it say its version. */
  readonly version: string;
  readonly suffix: string;
  readonly args: (file: string) => readonly string[];
}

const RUNNERS: Readonly<Record<Language, Runner>> = {
  curl: { program: 'curl', version: '--version', suffix: 'sh', args: (file) => [file] },
  javascript: { program: process.execPath, version: '--version', suffix: 'mjs', args: (file) => [file] },
  python: { program: 'python3', version: '--version', suffix: 'py', args: (file) => [file] },
  go: { program: 'go', version: 'version', suffix: 'go', args: (file) => ['run', file] },
};

/** Less than a test has. Go may compile its standard library first. */
const TIMEOUT_MS = 50_000;

/** Runs a sample as a consumer does who has pasted it; one that fails rejects. @returns what it printed */
export type RunSample = (sample: string, env?: Readonly<Record<string, string>>) => Promise<string>;

/**
 * A suite for each language of the code samples. One that this machine cannot run is skipped, and its title says which
 * program is missing.
 */
export function describeEachLanguage(suite: (language: Language, run: RunSample) => void): void {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const { program, version } = RUNNERS[language];
    if (spawnSync(program, [version]).status === 0) describe(language, () => suite(language, inFolder(language)));
    else describe.skip(`${language} (not run: ${program} is not installed)`, () => suite(language, notRun));
  }
}

async function notRun(): Promise<string> {
  throw new Error('this language is not installed');
}

/** Each suite has a folder of its own, which is gone when it is done. */
function inFolder(language: Language): RunSample {
  const { program, suffix, args } = RUNNERS[language];
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'samples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return async function run(sample, env = {}) {
    const file = join(folder, `sample.${suffix}`);
    writeFileSync(file, `${sample}\n`);
    const options = { cwd: folder, env: { ...process.env, ...env }, timeout: TIMEOUT_MS };
    const child = spawn(language === 'curl' ? 'sh' : program, args(file), options);
    const [output, problems, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    if (code !== 0) throw new Error(`the sample ended with ${String(code)}: ${problems}`);
    return output;
  };
}
