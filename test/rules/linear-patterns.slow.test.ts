/**
 * Every pattern takes linear time at most, whatever the text, because documents, settings and callers' input can be
 * megabytes. A checker proves that, or finds a text for which it is not true.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';

const root = join(import.meta.dirname, '../..');
/**
 * The options of the checker. `timeout` is longer than any pattern here needs. The steps have no time limits of their
 * own, so that a slow machine finds what a fast one does.
 */
const CHECK = { timeout: 600_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

/** Files with patterns that are joined from parts at run time. Either their parts or the texts have a fixed length. */
const MADE_AT_RUN_TIME = [
  'src/data-plane/credentials/foreign-keys.ts',
  'src/http/redact-keys.ts',
  'src/openapi/validation/patterns.ts',
  'src/storage/redis/redis-failure.ts',
  'web/portal/code/highlight.ts',
  'web/shared/ui/frame/search-dialog.tsx',
];

interface Pattern {
  /** The place of the pattern, such as `src/base/text.ts:8`. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

const patterns: Pattern[] = [];
const madeAtRunTime = new Set<string>();

for (const file of globSync('{src,web,bin}/**/*.{ts,tsx,js,cjs}', { cwd: root }).toSorted()) {
  if (/\.test\.tsx?$/.test(file)) continue;
  const text = readFileSync(join(root, file), 'utf8');
  visit(parseSync(file, text).program, (node) => {
    const { type, regex, callee, start } = node;
    if (type === 'Literal' && regex !== undefined) {
      patterns.push({
        at: `${file}:${text.slice(0, start).split('\n').length}`,
        source: regex.pattern,
        flags: regex.flags,
      });
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') madeAtRunTime.add(file);
  });
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

function visit(value: unknown, visitor: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) visitor(value as SyntaxNode);
  for (const part of Object.values(value)) visit(part, visitor);
}

/** @returns the problem of a pattern, with a text that shows it; null if the pattern is linear */
function findProblem({ at, source, flags }: Pattern): string | null {
  const result = checkSync(source, flags, CHECK);
  if (result.status === 'safe') return null;
  const why =
    result.status === 'unknown' ? result.error.kind : `${result.complexity.summary}: ${result.attack.pattern}`;
  return `${at} /${source}/${flags} ${why}`;
}

test('every regular expression is matched in linear time', () => {
  expect(patterns.length).toBeGreaterThan(300);
  expect(patterns.map(findProblem).filter((problem) => problem !== null)).toEqual([]);
});

test('the patterns that the checker cannot see are listed', () => {
  expect([...madeAtRunTime]).toEqual(MADE_AT_RUN_TIME);
});

test('the checker finds a pattern that is not linear', () => {
  const problem = findProblem({ at: 'here', source: '!?\\[([^\\]]*)\\]\\([^)]*\\)', flags: 'g' });
  expect(problem).toContain("2nd degree polynomial: '['.repeat(");
});
