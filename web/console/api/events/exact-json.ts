/** Features of newer browsers: the source text of a number, and raw JSON. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/**
 * Parses JSON in order to show it again: `JSON.stringify` then returns numbers that JavaScript would round as they were
 * written. Browsers without this feature round them.
 */
export function parseExact(text: string): unknown {
  const keep: Reviver = (_, value, context) => {
    const source = context?.source;
    const isRounded = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isRounded && rawJSON !== undefined ? rawJSON(source) : value;
  };
  return JSON.parse(text, keep);
}
