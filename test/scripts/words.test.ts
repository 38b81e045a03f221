import { expect, test } from '@jest/globals';
import { parseAddedLines, findPuzzles } from '../../scripts/words/puzzles.ts';

function findIn(...texts: string[]) {
  return findPuzzles(texts.map((text, index) => ({ file: 'src/a.ts', line: index + 1, text })));
}

test('each line that a diff adds has its file and number', () => {
  const diff = [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -3,1 +3,2 @@ function before() {',
    '-old',
    '+one',
    '+two',
    '@@ -9,0 +11 @@',
    '+three',
  ].join('\n');
  expect(parseAddedLines(diff)).toEqual([
    { file: 'src/a.ts', line: 3, text: 'one' },
    { file: 'src/a.ts', line: 4, text: 'two' },
    { file: 'src/a.ts', line: 11, text: 'three' },
  ]);
});

test.each([
  ['/** Those of others look as if they did not exist. */'],
  ['  // What of the next head has come.'],
  ['  // As that of a plan.'],
  ['/** Sends a batch once there are so many lines. */'],
  ['  // Its owner is told.'],
  ['function namesOf(keys: Key[]) {'],
  ['export function shown(key: Key) {'],
  ['interface Answer {'],
])('a phrase that is hard to understand is reported: %s', (text) => {
  expect(findIn(text)).toEqual([expect.objectContaining({ file: 'src/a.ts', line: 1 })]);
});

test.each([
  ['/** Another account is reported as not found. */'],
  ['  // Time without failures after which the breaker counts as recovered.'],
  ['function findKeys(owner: string) {'],
  ["const text = 'What is this?';"],
])('an ordinary phrase is not reported: %s', (text) => {
  expect(findIn(text)).toEqual([]);
});

test('only the first line of a comment is checked as its opening', () => {
  expect(findIn('// The gateway refuses these requests.', '// Those that remain are forwarded.')).toEqual([]);
  expect(findIn('/**', ' * Those that remain.', ' */')).toHaveLength(1);
  expect(findIn('/**', ' * A list.', ' * Those that remain.', ' */')).toEqual([]);
});
