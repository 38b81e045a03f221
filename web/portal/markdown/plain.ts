/** True if Markdown is a single paragraph without any syntax. Text that only resembles syntax counts as syntax. */
export function isPlain(text: string): boolean {
  return !/[\n\r*_`~<>[\]\\&|#]|^\s*(?:[-+=]|\d+[.)]|\s{4}|\t)/.test(text.trimEnd());
}
