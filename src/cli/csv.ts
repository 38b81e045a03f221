/** A record of a CSV file (RFC 4180). It may span several lines if a quoted cell does. */
export interface CsvRecord {
  /** The line where the record starts, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface Csv {
  /** The records, except for empty lines. */
  readonly records: readonly CsvRecord[];
  /** The syntax errors, each with the line where its record starts. */
  readonly errors: readonly { readonly line: number; readonly what: string }[];
}

const BARE = /[^",\r\n]*/y;
const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const QUOTE = 'misplaced quote: put the whole cell in quotes, and double each quote inside it';
const LINE_END = /\r\n|\n|\r/g;
const END = /,|\r\n|\n|\r|$/y;

/**
 * Parses CSV text with LF, CRLF or CR line ends, and skips a byte order mark. After a syntax error, parsing continues
 * at the next line, so that all errors are reported. csv-parse is not used: after such an error, it stops or swallows
 * the following lines, and it counts a CRLF in a quoted cell as two lines.
 */
export function readCsv(text: string): Csv {
  const records: CsvRecord[] = [];
  const errors: { line: number; what: string }[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  let startLine = 1;
  let cells: string[] = [];

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const result = pattern.exec(text);
    if (result !== null) at = pattern.lastIndex;
    return result;
  };

  while (at < text.length) {
    const quoted = match(QUOTED);
    cells.push(quoted === null ? (match(BARE)?.[0] ?? '').trim() : (quoted[1] ?? '').replaceAll('""', '"'));
    line += countLines(quoted?.[0] ?? '');
    const end = match(END);
    if (end === null) {
      errors.push({ line: startLine, what: QUOTE });
      at = findNextLine(text, at);
    } else if (end[0] === ',' && at < text.length) continue;
    if (end?.[0] === ',') cells.push('');
    // A broken record was already reported as an error.
    if (end !== null && !(cells.length === 1 && cells[0] === '')) records.push({ line: startLine, cells });
    cells = [];
    line += 1;
    startLine = line;
  }
  return { records, errors };
}

function countLines(text: string): number {
  return text.match(LINE_END)?.length ?? 0;
}

function findNextLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.test(text) ? LINE_END.lastIndex : text.length;
}
