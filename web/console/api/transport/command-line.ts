import { formatCommandLine, quoteWord } from '../../../../src/base/portable/shell.ts';

/** A request that the `curl` line sends. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/**
 * Formats a change as a `curl` line. The line takes the address and the token from the same variables as the `tollgate`
 * command.
 */
export function formatCurlCommand({ method, path, body }: Sent, headers: Readonly<Record<string, string>>): string {
  const parts = [
    `curl -X ${method} "$TOLLGATE_ADMIN_URL"${quoteWord(`/v1${path}`)}`,
    '-H "Authorization: Bearer $TOLLGATE_ADMIN_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Formats a `tollgate` command. Options without a value are left out. */
export function formatTollgateCommand(
  words: readonly string[],
  options: Readonly<Record<string, string | number | undefined>>,
) {
  return formatCommandLine(words, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '')));
}
