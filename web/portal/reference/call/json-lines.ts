import { indentJson } from '../../../shared/format/pretty-json.ts';

/** A line of the body, as shown on the page. */
interface BodyLine {
  readonly text: string;
  /** The index of the line that closes the block which this line opens. Null if it opens none. */
  readonly end: number | null;
  /** The number of blocks that contain the line. */
  readonly depth: number;
}

/**
 * Splits a body into lines. JSON is indented, and its objects and lists become blocks that can be collapsed. Numbers are
 * shown with all their digits, without rounding.
 */
export function bodyLines(body: string): readonly BodyLine[] {
  const pretty = indentJson(body);
  const texts = pretty.split('\n');
  // Text that is not JSON has no blocks.
  if (pretty === body && !/^[[{]/.test(body)) return texts.map((text) => ({ text, end: null, depth: 0 }));
  const ends = new Map<number, number>();
  const depths: number[] = [];
  const open: number[] = [];
  for (const [index, text] of texts.entries()) {
    if (/^\s*[}\]],?$/.test(text)) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index);
    }
    depths.push(open.length);
    if (/[{[]$/.test(text)) open.push(index);
  }
  return texts.map((text, index) => ({ text, end: ends.get(index) ?? null, depth: depths[index] ?? 0 }));
}

/** Bodies with at least this many lines are collapsed at first. */
const MANY_LINES = 400;
const FOLDED_DEPTH = 2;

/** Finds the blocks that are collapsed at first: in a long body, the blocks inside of two others. */
export function firstFolds(lines: readonly BodyLine[]): ReadonlySet<number> {
  if (lines.length < MANY_LINES) return new Set();
  return new Set(lines.flatMap(({ end, depth }, index) => (end !== null && depth === FOLDED_DEPTH ? [index] : [])));
}

/** Finds the indexes of the lines outside of collapsed blocks. */
export function visibleLines(lines: readonly BodyLine[], folded: ReadonlySet<number>): readonly number[] {
  const visible: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    visible.push(index);
    const end = lines[index]?.end ?? null;
    if (end !== null && folded.has(index)) index = end;
  }
  return visible;
}

/** Finds the indexes of the lines that contain a text, ignoring case. */
export function matchingLines(lines: readonly BodyLine[], wanted: string): readonly number[] {
  const text = wanted.toLowerCase();
  if (text === '') return [];
  return lines.flatMap((line, index) => (line.text.toLowerCase().includes(text) ? [index] : []));
}

/** Expands the blocks that contain a line. */
export function unfoldAround(
  lines: readonly BodyLine[],
  folded: ReadonlySet<number>,
  line: number,
): ReadonlySet<number> {
  return new Set([...folded].filter((start) => start >= line || (lines[start]?.end ?? 0) < line));
}
