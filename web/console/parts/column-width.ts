/** Only the longest texts are measured, because the widest one is probably among them. */
const MEASURED = 20;
/** Covers the padding of a cell and rounding. */
const AROUND_PX = 28;
/** Covers the arrow beside the header of a sortable column. */
const ARROW_PX = 16;

let canvas: CanvasRenderingContext2D | null | undefined;

/**
 * Calculates the CSS width of a column: enough for its longest text on one line, but at most a share of the table.
 *
 * @param texts the texts of its cells
 */
export function computeColumnWidth(header: string, texts: Iterable<string>, maxShare: number): string {
  const longest = [...new Set(texts)].toSorted((one, other) => other.length - one.length).slice(0, MEASURED);
  const widest = Math.max(0, ...longest.map(textWidth));
  const px = Math.ceil(Math.max(widest, textWidth(header) + ARROW_PX) + AROUND_PX);
  // Uses `cqi`, because a percentage would be ignored beside a width in px.
  return `min(${px}px, ${maxShare}cqi)`;
}

/** Measures a text in px, in the font of tables. */
function textWidth(text: string): number {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return 0;
  const { fontSize } = getComputedStyle(document.documentElement);
  const { fontFamily } = getComputedStyle(document.body);
  // `--text-sm` is 0.8125 rem. Headers are slightly smaller.
  canvas.font = `${parseFloat(fontSize) * 0.8125}px ${fontFamily}`;
  return canvas.measureText(text).width;
}
