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
  /** The arguments of a command that succeeds if the program can run samples. */
  readonly probe: readonly string[];
  readonly suffix: string;
  readonly args: (file: string) => readonly string[];
}

/** Java options for programs that run only shortly. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const RUNNERS: Readonly<Record<Language, Runner>> = {
  curl: { program: 'curl', probe: ['--version'], suffix: 'sh', args: (file) => [file] },
  javascript: { program: process.execPath, probe: ['--version'], suffix: 'mjs', args: (file) => [file] },
  python: { program: 'python3', probe: ['-c', 'import requests'], suffix: 'py', args: (file) => [file] },
  go: { program: 'go', probe: ['version'], suffix: 'go', args: (file) => ['run', file] },
  java: { program: 'java', probe: ['-version'], suffix: 'java', args: (file) => [...SHORT_LIVED, file] },
  // Only version 10 and newer can run a single file.
  csharp: { program: 'dotnet', probe: ['--version'], suffix: 'cs', args: (file) => ['run', file] },
  ruby: { program: 'ruby', probe: ['--version'], suffix: 'rb', args: (file) => [file] },
  php: {
    program: 'php',
    probe: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    suffix: 'php',
    args: (file) => [file],
  },
};

/**
 * The time limit for a sample. It is shorter than that of a test, and long enough for Go to compile its standard
 * library first.
 */
const TIMEOUT_MS = 200_000;

/** A file that samples can send. It is in the folder of every sample. */
export const SAMPLE_FILE = { name: 'photo.png', content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 13, 10]) };

/**
 * Runs a sample in the same way as a consumer who pasted it. Rejects if the sample fails.
 *
 * @returns the output of the sample
 */
type RunSample = (sample: string, env?: Readonly<Record<string, string>>) => Promise<string>;

/**
 * Declares a suite for each language of the code samples. If this machine cannot run a language, its suite is skipped,
 * and the title names the missing program.
 */
export function describeEachLanguage(suite: (language: Language, run: RunSample) => void): void {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const { program, probe } = RUNNERS[language];
    if (spawnSync(program, probe).status === 0) describe(language, () => suite(language, inFolder(language)));
    else
      describe.skip(`${language} (not run: ${program} or a library for it is not installed)`, () =>
        suite(language, notRun));
  }
}

async function notRun(): Promise<string> {
  throw new Error('this language is not installed');
}

/** Creates the function that runs samples. Each suite has its own folder, which is removed at the end. */
function inFolder(language: Language): RunSample {
  const { program, suffix, args } = RUNNERS[language];
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'samples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return async function run(sample, env = {}) {
    writeFileSync(join(folder, SAMPLE_FILE.name), SAMPLE_FILE.content);
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
