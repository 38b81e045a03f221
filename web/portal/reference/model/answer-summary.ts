/** Summarizes a collapsed response by the first line of its description. */
export function summarizeResponse(description: string | null): string {
  const [line = ''] = (description ?? '').split('\n', 1);
  return line.replaceAll('`', '');
}
