/**
 * Free text as people may see it: nothing in it moves the cursor, begins a line or reverses the text's direction. Joiners
 * are kept.
 */
export function printable(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
