/** Features of newer browsers: the source text of a number, and raw JSON. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/**
 * Parses JSON to be shown again: numbers that JavaScript would round come back from `JSON.stringify` as they were
 * written. Browsers that cannot do that round them.
 */
export function parseExact(text: string): unknown {
  const keep: Reviver = (_, value, context) => {
    const source = context?.source;
    const isRounded = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isRounded && rawJSON !== undefined ? rawJSON(source) : value;
  };
  return JSON.parse(text, keep);
}
