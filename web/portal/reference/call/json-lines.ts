import { prettyJson } from '../../../shared/format/pretty-json.ts';

/** A line of a body as it is shown. */
interface BodyLine {
  readonly text: string;
  /** The index of the line that closes the block opened here; null if none is opened. */
  readonly end: number | null;
  /** The number of blocks around the line. */
  readonly depth: number;
}

/** The lines of a body. JSON is indented, and its objects and lists can be folded. Numbers keep their digits. */
export function bodyLines(body: string): readonly BodyLine[] {
  const pretty = prettyJson(body);
  const texts = pretty.split('\n');
  // Other text has no blocks.
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

/** Bodies with at least this many lines start folded. */
const MANY_LINES = 400;
const FOLDED_DEPTH = 2;

/** The lines that are folded at first: the deepest blocks of a long body. */
export function firstFolds(lines: readonly BodyLine[]): ReadonlySet<number> {
  if (lines.length < MANY_LINES) return new Set();
  return new Set(lines.flatMap(({ end, depth }, index) => (end !== null && depth === FOLDED_DEPTH ? [index] : [])));
}

/** The indexes of the lines outside of folded blocks. */
export function visibleLines(lines: readonly BodyLine[], folded: ReadonlySet<number>): readonly number[] {
  const visible: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    visible.push(index);
    const end = lines[index]?.end ?? null;
    if (end !== null && folded.has(index)) index = end;
  }
  return visible;
}

/** The indexes of the lines that contain a text, ignoring case. */
export function matchingLines(lines: readonly BodyLine[], wanted: string): readonly number[] {
  const text = wanted.toLowerCase();
  if (text === '') return [];
  return lines.flatMap((line, index) => (line.text.toLowerCase().includes(text) ? [index] : []));
}

/** Opens the blocks around a line. */
export function unfoldAround(
  lines: readonly BodyLine[],
  folded: ReadonlySet<number>,
  line: number,
): ReadonlySet<number> {
  return new Set([...folded].filter((start) => start >= line || (lines[start]?.end ?? 0) < line));
}
