/** A line of a CSV file (RFC 4180), which a quoted cell may stretch over several of the file. */
export interface CsvRecord {
  /** Where it starts: 1 is the first of the file. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Csv {
  /** Empty lines are left out. */
  readonly records: readonly CsvRecord[];
  /** What is wrong with the form of it. */
  readonly faults: readonly { readonly line: number; readonly what: string }[];
}

const BARE = /[^",\r\n]*/y;
const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const QUOTE = 'has a quote out of place: a cell with quotes is quoted whole, and each of them doubled';
const END = /,|\r\n|\n|\r|$/y;

/** Reads commas, quotes, doubled quotes, and any of the usual line ends; a byte order mark is skipped. */
export function readCsv(text: string): Csv {
  const records: CsvRecord[] = [];
  const faults: { line: number; what: string }[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  let startLine = 1;
  let cells: string[] = [];

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };

  while (at < text.length) {
    const quoted = take(QUOTED);
    cells.push(quoted === null ? (take(BARE)?.[0] ?? '').trim() : (quoted[1] ?? '').replaceAll('""', '"'));
    line += linesIn(quoted?.[0] ?? '');
    const end = take(END);
    if (end === null) {
      faults.push({ line: startLine, what: QUOTE });
      at = nextLine(text, at);
    } else if (end[0] === ',' && at < text.length) continue;
    if (end?.[0] === ',') cells.push('');
    // A record that is not whole is told once, by its quote.
    if (end !== null && !(cells.length === 1 && cells[0] === '')) records.push({ line: startLine, cells });
    cells = [];
    line += 1;
    startLine = line;
  }
  return { records, faults };
}

function linesIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

/** A cell that reads as it was. */
export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
