/**
 * `npm run words [-- REVISION]`: lists comments and names in a change that may be hard to understand. The change is the
 * difference from a revision. By default, that is the last tag or, without tags, the commit where the branch left
 * origin/main. The script only warns: the exit code is 0.
 */
import { execFileSync } from 'node:child_process';
import { parseAddedLines, findPuzzles } from './words/puzzles.ts';

const FOLDERS = ['src', 'web', 'scripts', 'test', 'bench'];
const GENERATED = /-types\.ts$|\bschema\.ts$/;
const MAX_DIFF_BYTES = 256 * 1024 * 1024;
/** Maximum number of matches that are listed. Further matches are only counted. */
const MAX_LISTED = 50;

const revision = process.argv[2] ?? git('describe', '--tags', '--abbrev=0') ?? git('merge-base', 'origin/main', 'HEAD');
if (revision === null) {
  process.stderr.write(
    'words: no tag and no origin/main to compare with. Name a revision: npm run words -- REVISION\n',
  );
} else {
  const diff = git('diff', '--unified=0', '--no-ext-diff', revision, '--', ...FOLDERS);
  if (diff === null) process.stderr.write(`words: git cannot compare with ${revision}\n`);
  else report(diff, revision);
}

function report(diff: string, since: string): void {
  const lines = parseAddedLines(diff).filter(({ file }) => /\.tsx?$/.test(file) && !GENERATED.test(file));
  const puzzles = findPuzzles(lines);
  const listed = puzzles
    .slice(0, MAX_LISTED)
    .map(({ file, line, kind, text }) => `  ${file}:${line}: ${kind}: ${text}\n`);
  const unlistedCount = puzzles.length - listed.length;
  process.stdout.write(
    `words: ${puzzles.length} comments and names since ${since} may puzzle a reader (a hint, not an error)\n` +
      listed.join('') +
      (unlistedCount > 0 ? `  and ${unlistedCount} more\n` : ''),
  );
}

/** @returns the output of a git command; null if it fails */
function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: MAX_DIFF_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
