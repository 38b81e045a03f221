/**
 * The summary of a collapsed response: for a list of codes (`` `code`: what it means ``), the codes; otherwise the
 * first line of its description.
 */
export function answerSummary(description: string | null): string {
  const text = description ?? '';
  const codes = [...text.matchAll(/^`(\w+)`:/gm)].map(([, code]) => code);
  if (codes.length > 1) return codes.join(', ');
  const [line = ''] = text.split('\n', 1);
  return line.replaceAll('`', '');
}
