/** Newer browsers give the reviver the source text of a number, and can write raw JSON. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/**
 * Parses JSON that will be shown again. `JSON.stringify` then writes numbers as they were received, even if JavaScript
 * would round them. Older browsers round them.
 */
export function parseExact(text: string): unknown {
  const keep: Reviver = (_, value, context) => {
    const source = context?.source;
    const isRounded = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isRounded && rawJSON !== undefined ? rawJSON(source) : value;
  };
  return JSON.parse(text, keep);
}
