export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** Matches the only accepted spelling of a number: no `+`, no `-0`, no leading zero, no fraction, no exponent. */
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/;

/** Parses a canonical int64 exactly, without a float in between. Returns undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!CANONICAL.test(text)) return undefined;
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
