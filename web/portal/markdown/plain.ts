/**
 * Whether Markdown has nothing but words in it, a paragraph without any syntax. Some of what is none looks like syntax,
 * and counts as such.
 */
export function isPlain(text: string): boolean {
  return !/[\n\r*_`~<>[\]\\&|#]|^\s*(?:[-+=]|\d+[.)]|\s{4}|\t)/.test(text.trimEnd());
}
