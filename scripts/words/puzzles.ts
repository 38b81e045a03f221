/**
 * Finds comments and names that may be hard to understand, by their form. The patterns only give hints: a match can be
 * fine, and a bad sentence can match nothing.
 */

/** A line that was added by a change. */
export interface AddedLine {
  readonly file: string;
  /** The number of the line; the first is 1. */
  readonly line: number;
  readonly text: string;
}

export interface Puzzle {
  readonly file: string;
  readonly line: number;
  /** The kind of problem, as a short phrase. */
  readonly kind: string;
  readonly text: string;
}

/** Bad openings of a comment. A good comment has a subject and a verb, or is a noun phrase. */
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Of|That of|Those)\b/, 'the comment begins with a pronoun or "of"'],
  [/^(?:What|Which|Who|Whose|Whom)\b/, 'the comment begins with a question word'],
  [/^(?:As (?:of|that|those|with)|Than|(?:For|With) whom)\b/, 'the comment begins in the middle of a thought'],
];

/** Bad phrases anywhere in a comment. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:so many|so long|anew|nobody's|as ever|by way of|are through)\b/i, 'an unusual phrase'],
  [/\b(?:is|are) (?:told|asked for|held to|taken up|left over)\b/, 'a passive that hides who acts'],
];

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:function|const|class|interface|type) (\w*[aA]nswer\w*)/, 'the usual word is "response"'],
  [/\bfunction (\w+Of)\b/, 'a function named "xOf" has no verb'],
  [
    /\bfunction (asked|built|called|counted|found|given|heard|kept|known|listed|made|named|shown|told)\b/,
    'a participle',
  ],
];

const COMMENT = /^(?:\/\/|\/\*\*?|\*)\s?(.*?)(?:\s*\*\/)?$/;

/** @param lines of TypeScript files */
export function findPuzzles(lines: readonly AddedLine[]): Puzzle[] {
  const puzzles: Puzzle[] = [];
  let previousLine: AddedLine | null = null;
  for (const added of lines) {
    const trimmed = added.text.trim();
    const [, comment] = COMMENT.exec(trimmed) ?? [];
    const add = (kind: string, text: string) => puzzles.push({ file: added.file, line: added.line, kind, text });
    if (comment === undefined) {
      for (const [pattern, kind] of NAMES) {
        const [, name] = pattern.exec(trimmed) ?? [];
        if (name !== undefined) add(kind, name);
      }
    } else {
      const patterns = isOpening(trimmed, added, previousLine) ? [...OPENINGS, ...PHRASES] : PHRASES;
      for (const [pattern, kind] of patterns) if (pattern.test(comment)) add(kind, comment);
    }
    previousLine = added;
  }
  return puzzles;
}

/** Whether a comment begins on this line. If not, it continues from the previous line. */
function isOpening(trimmed: string, { file, line }: AddedLine, previousLine: AddedLine | null): boolean {
  if (trimmed.startsWith('/*')) return true;
  if (trimmed.startsWith('*')) return /^\s*\/\*\*$/.test(previousLine?.text ?? '');
  const isNext = previousLine?.file === file && previousLine.line === line - 1;
  return !(isNext && previousLine.text.trim().startsWith('//'));
}

/** @param diff the output of `git diff --unified=0` */
export function parseAddedLines(diff: string): AddedLine[] {
  const lines: AddedLine[] = [];
  let [file, line] = ['', 0];
  for (const text of diff.split('\n')) {
    if (text.startsWith('+++ ')) file = text.slice('+++ b/'.length);
    else if (text.startsWith('@@ ')) line = Number(/\+(\d+)/.exec(text)?.[1]);
    else if (text.startsWith('+')) lines.push({ file, line: line++, text: text.slice(1) });
  }
  return lines;
}
