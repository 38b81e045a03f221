import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { csvLine } from '../base/csv-line.ts';
import type { Plan } from '../control-plane/registry/plan.ts';
import type { NewKeyAnswer } from './admin-answers.ts';
import { type AdminApi, ApiError, connect, NotReached } from './admin-api.ts';
import { listAll } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, Failure, REASON, type ReasonOption } from './command.ts';
import type { Io } from './io.ts';
import type { WantedKey } from './key-csv.ts';
import { count, printJson, Progress } from './output.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly output: string;
}

const FORM = `
The file is CSV with a header line:

  owner,name,plan,minute,day,expiresAt
  acme,Shop backend,pro,,,
  acme,"Feed, nightly",enterprise,5000,2000000,2027-12-31T00:00:00Z

minute and day belong to custom plans; they and expiresAt may be left out. All lines are checked before the first key
is made. The secrets go into a new file that only you can read.`;

export function keysImport(io: Io): Command {
  return adminCommand('import', 'create many keys, from a CSV file', 'keys import new-keys.csv --output secrets.csv')
    .argument('<file>', 'CSV')
    .requiredOption('--output <file>', 'a new file for the secrets')
    .option(...REASON)
    .addHelpText('after', FORM)
    .action((file: string, options: Options) => importFile(io, file, options));
}

async function importFile(io: Io, file: string, { json, reason, output }: Options): Promise<void> {
  const api = connect(io);
  const keys = await readKeys(io, api, file);
  const secrets = new SecretsFile(resolve(io.cwd, output));
  const progress = new Progress(io, 'keys');
  try {
    await importKeys(api, keys, secrets, reason, (done) => progress.show(done, keys.length));
  } finally {
    progress.end();
    secrets.close();
  }
  if (json === true) return printJson(io, { imported: keys.length, output: secrets.path });
  io.out(`${count(keys.length, 'key')} made. Their secrets are in ${secrets.path}, which only you can read.\n`);
}

/** @throws Failure with every fault of the file */
async function readKeys(io: Io, api: AdminApi, file: string): Promise<readonly WantedKey[]> {
  const text = readText(resolve(io.cwd, file));
  const plans = (await listAll<Plan>(api, '/plans')).items;
  const { readKeyFile } = await import('./key-csv.ts');
  const { keys, faults } = readKeyFile(text, plans, io.now());
  if (faults.length === 0) return keys;
  throw new Failure(`no key was made, because ${file} has faults:\n${faults.map((one) => `  ${one}`).join('\n')}`);
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Failure(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `${path} is not UTF-8: save it in this encoding`
        : `${path} cannot be read (${code}): check the path and its permissions`,
    );
  }
}

/**
 * Keys per call. The API takes more, but writes each call in one transaction, and with an embedded database all other
 * requests to the gateway wait for it.
 */
const BATCH_SIZE = 250;

/**
 * Creates the keys batch by batch, in order, and writes their secrets to `secrets`.
 *
 * @param onProgress called with the number of keys created so far
 * @throws Failure at the first batch that fails; it says which lines were imported and which were not
 */
async function importKeys(
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

const HEADER = 'owner,name,plan,minute,day,expiresAt,id,key\n';

/** A new file for secrets, which only its owner can read. */
class SecretsFile {
  readonly path: string;
  readonly #file: number;
  #holdsSecrets = false;

  /** @throws Failure if the file already exists or cannot be created */
  constructor(path: string) {
    this.path = path;
    try {
      // Exclusive: others may be able to read an existing file, or it may hold the secrets of other keys.
      this.#file = openSync(path, 'wx', 0o600);
    } catch (error) {
      const { code = 'unwritable' } = error as NodeJS.ErrnoException;
      throw new Failure(
        code === 'EEXIST'
          ? `${path} exists already, and secrets go into a new file: name another with --output`
          : `${path} cannot be made (${code}): name another file with --output`,
      );
    }
    this.#write(HEADER);
  }

  /** The secrets are on disk when it returns, because they cannot be shown again. */
  append(keys: readonly NewKeyAnswer[]): void {
    this.#holdsSecrets = true;
    this.#write(
      keys
        .map(({ owner, name, plan, limits, expiresAt, id, key }) =>
          csvLine([owner, name, plan, limits?.minute ?? null, limits?.day ?? null, expiresAt, id, key]),
        )
        .join(''),
    );
    fsyncSync(this.#file);
  }

  /** Removes the file if no secrets were written. */
  close(): void {
    closeSync(this.#file);
    if (!this.#holdsSecrets) rmSync(this.path);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }
}
