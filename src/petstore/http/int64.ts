export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** One spelling per number: no `+`, no `-0`, no leading zero, no fraction, no exponent. */
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** The exact value of a canonical int64 text, else undefined. Never goes through a float. */
export function parseInt64(text: string): bigint | undefined {
  if (!CANONICAL.test(text)) return undefined;
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
