import type { AdminApi } from './admin/api.ts';
import type { NewKeyAnswer } from './admin/answers.ts';
import { ApiError } from './admin/api-error.ts';
import { NotReached } from './admin/not-reached.ts';
import { Failure } from './failure.ts';
import type { WantedKey } from './key-csv.ts';
import type { SecretsFile } from './secrets-file.ts';

/**
 * Keys per call. The API takes more, but writes each call in one transaction, and with an embedded database all other
 * requests to the gateway wait for it.
 */
export const BATCH_SIZE = 250;

/**
 * Creates the keys batch by batch, in order, and writes their secrets to `secrets`.
 *
 * @param onProgress called with the number of keys created so far
 * @throws Failure at the first batch that fails; it says which lines were imported and which were not
 */
export async function importKeys(
  api: AdminApi,
  keys: readonly WantedKey[],
  secrets: SecretsFile,
  reason: string | undefined,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let done = 0; done < keys.length; done += BATCH_SIZE) {
    onProgress(done);
    const batch = keys.slice(done, done + BATCH_SIZE);
    const places = { done: keys.slice(0, done), batch, rest: keys.slice(done + BATCH_SIZE) };
    let items: readonly NewKeyAnswer[];
    try {
      const json = { keys: batch.map(({ key }) => key) };
      const { body } = await api.call<{ items: readonly NewKeyAnswer[] }>('POST', '/keys/import', { json, reason });
      items = body.items;
    } catch (error) {
      if (error instanceof Failure) throw stopped(error, places, secrets.path);
      throw error;
    }
    try {
      secrets.append(items);
    } catch (error) {
      throw unwritten(error, places, secrets.path);
    }
  }
  onProgress(keys.length);
}

interface Places {
  readonly done: readonly WantedKey[];
  readonly batch: readonly WantedKey[];
  readonly rest: readonly WantedKey[];
}

function stopped(error: Failure, { done, batch, rest }: Places, output: string): Failure {
  const unknown = mayBeIn(error);
  const out = unknown ? rest : [...batch, ...rest];
  const lines = [
    `the import stopped at ${linesOf(batch)}: ${whyNot(error, batch)}`,
    `  in:      ${linesOf(done)}${done.length > 0 ? ` (their secrets are in ${output})` : ''}`,
    ...(unknown ? [`  unknown: ${linesOf(batch)}: the answer was lost, and the secrets with it`] : []),
    `  not in:  ${linesOf(out)}`,
    ...(unknown ? ['"tollgate keys list" shows whether the unknown ones were made: revoke those that were.'] : []),
    'Import what is not in from a file of its own, under the same header.',
  ];
  return new Failure(lines.join('\n'));
}

function unwritten(error: unknown, { done, batch, rest }: Places, output: string): Failure {
  return new Failure(
    `the secrets of ${linesOf(batch)} cannot be written to ${output} (${(error as Error).message})\n` +
      `  in, with their secrets there: ${linesOf(done)}\n` +
      `  in, with their secrets lost:  ${linesOf(batch)}: "tollgate keys rotate" gives them new ones\n` +
      `  not in:                       ${linesOf(rest)}`,
  );
}

/** A refusal means that none of the batch was created. No answer, or a server error, leaves that open. */
function mayBeIn(error: Failure): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  return !(error instanceof NotReached && error.neverSent);
}

/** The API's messages count the keys of a call; people need the lines of their file. */
function whyNot(error: Failure, batch: readonly WantedKey[]): string {
  return error.message.replaceAll(/keys\.(\d+)\./g, (_, index) => `line ${batch[Number(index)]?.line}: `);
}

function linesOf(keys: readonly WantedKey[]): string {
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return 'none';
  return first === last ? `line ${first.line}` : `lines ${first.line} to ${last.line}`;
}
