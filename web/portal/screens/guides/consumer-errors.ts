export interface ConsumerError {
  readonly code: string;
  readonly status: string;
  readonly message: string;
}

/** Parses the codes that the gateway returns, from the table in docs/errors.md. */
export function consumerErrors(table: string): readonly ConsumerError[] {
  const rows = table.matchAll(/^\| `(\w+)` +\| (\d{3}) +\|([^|\n]+)\|([^|\n]+)\|$/gm);
  return [...rows]
    .filter(([, , , , sources = '']) => sources.trim().startsWith('gateway'))
    .map(([, code = '', status = '', message = '']) => ({ code, status, message: message.trim() }));
}

/** Formats the codes as a Markdown table, worded for consumers. */
export function errorTable(errors: readonly ConsumerError[]): string {
  const rows = errors.map(({ code, status, message }) => `| \`${code}\` | ${status} | ${message} |`);
  return ['| code | status | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
