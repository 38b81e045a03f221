/**
 * Adds the gateway's headers to the head of a response that an upstream wrote by itself, in place of those that the
 * upstream may not send.
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
  const [statusLine = '', ...lines] = text.split('\r\n');
  const kept = lines.filter((line) => !isOwn(line.slice(0, Math.max(0, line.indexOf(':'))).toLowerCase()));
  for (let index = 0; index < own.length; index += 2) kept.push(`${own[index]}: ${own[index + 1]}`);
  return { head: [statusLine, ...kept].join('\r\n'), status: Number(statusLine.split(' ')[1]) };
}
