import { formatCommandLine, quoteWord } from '../../../../src/base/portable/shell.ts';

/** Arguments for `curl`, in the form of a `Change`. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/**
 * The `curl` line for a change. It takes the address and the token from the same variables as the `tollgate` command.
 */
export function curlLine({ method, path, body }: Sent, headers: Readonly<Record<string, string>>): string {
  const parts = [
    `curl -X ${method} "$TOLLGATE_ADMIN_URL"${quoteWord(`/v1${path}`)}`,
    '-H "Authorization: Bearer $TOLLGATE_ADMIN_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** A `tollgate` command; options without a value are left out. */
export function tollgateLine(words: readonly string[], options: Readonly<Record<string, string | number | undefined>>) {
  return formatCommandLine(words, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== '')));
}
