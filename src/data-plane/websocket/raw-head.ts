import { isOwnCookie } from '../../http/headers.ts';

/** Each is the end of a line to browsers, or, before white space, a line that goes on. */
const LINE_END = /[\r\n]+/;
const FOLD = /[\r\n]+[ \t]+/g;

/**
 * Adds the gateway's headers to the head of a response that an upstream wrote by itself, in place of those that the
 * upstream may not send. Lines that a browser would read as a header end like all others afterwards.
 *
 * @param text the head, without the empty line at its end
 * @param own flat pairs
 * @param isOwn whether only the gateway may send a header, by its name in lower case
 */
export function withOwnHeaders(
  text: string,
  own: readonly string[],
  isOwn: (name: string) => boolean,
): { head: string; status: number } {
  const [statusLine = '', ...lines] = text.replaceAll(FOLD, ' ').split(LINE_END);
  const kept = lines.filter((line) => {
    const [name = ''] = line.split(':', 1);
    const key = name.trim().toLowerCase();
    return !isOwn(key) && !(key === 'set-cookie' && isOwnCookie(line.slice(name.length + 1)));
  });
  for (let index = 0; index < own.length; index += 2) kept.push(`${own[index]}: ${own[index + 1]}`);
  return { head: [statusLine, ...kept].join('\r\n'), status: Number(statusLine.split(' ')[1]) };
}
