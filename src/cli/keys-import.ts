import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { csvLine } from '../base/csv-line.ts';
import type { Plan } from '../control-plane/registry/plan.ts';
import type { NewKeyAnswer } from './admin-answers.ts';
import { type AdminApi, type Answer, ApiError, connect, NotReached, type Sent } from './admin-api.ts';
import { listAll } from './admin-list.ts';
import { adminCommand, type AdminCommandOptions, Failure, REASON, type ReasonOption, UsageFailure } from './command.ts';
import type { Io } from './io.ts';
import type { NewKey } from './key-csv.ts';
import { count, printJson, Progress } from './output.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly output?: string;
  readonly dryRun?: true;
}

const FORM = `
The file is CSV with a header line:

  owner,name,plan,minute,day,month,expiresAt,operations,addresses
  acme,Shop backend,pro,,,,,,
  acme,"Feed, nightly",enterprise,5000,2000000,,2027-12-31T00:00:00Z,,
  acme,Till,pro,,,,,"listPets,tag:orders",192.0.2.0/24

Only owner, name and plan are required. minute, day and month are for custom plans. operations and addresses restrict the
key, as in "tollgate keys create"; put lists in quotes. All lines are checked before the first key is created. A key with
the owner, name and plan of an existing key is refused, unless that key is revoked. The secrets go into a new file that only
you can read.`;

export function keysImport(io: Io): Command {
  return adminCommand('import', 'Create many keys from a CSV file', 'keys import new-keys.csv --output secrets.csv')
    .argument('<file>', 'CSV file')
    .option('--output <file>', 'New file for the secrets (required without --dry-run)')
    .option('--dry-run', 'Check the file without creating keys')
    .option(...REASON)
    .addHelpText('after', FORM)
    .action((file: string, options: Options) => importFile(io, file, options));
}

async function importFile(io: Io, file: string, { json, reason, output, dryRun }: Options): Promise<void> {
  if (output === undefined && dryRun !== true)
    throw new UsageFailure('--output is required: name a new file for the secrets');
  const api = connect(io);
  const keys = await readKeys(io, api, file);
  if (output === undefined || dryRun === true) {
    if (json === true) return printJson(io, { dryRun: true, keys: keys.length });
    return io.out(`${file} is valid. Without --dry-run, ${count(keys.length, 'key')} would be created.\n`);
  }
  const { COLUMNS } = await import('./key-csv.ts');
  const secrets = new SecretsFile(resolve(io.cwd, output), [...COLUMNS, 'id', 'key']);
  const progress = new Progress(io, 'keys');
  try {
    await importKeys(api, keys, secrets, reason, (done) => progress.show(done, keys.length));
  } finally {
    progress.end();
    secrets.close();
  }
  if (json === true) return printJson(io, { imported: keys.length, output: secrets.path });
  io.out(`Created ${count(keys.length, 'key')}. The secrets are in ${secrets.path}, which only you can read.\n`);
}

/** @throws Failure with every error of the file */
async function readKeys(io: Io, api: AdminApi, file: string): Promise<readonly NewKey[]> {
  const text = readText(resolve(io.cwd, file));
  const plans = (await listAll<Plan>(api, '/plans')).items;
  const { readKeyFile } = await import('./key-csv.ts');
  const { keys, errors: invalid } = readKeyFile(text, plans, io.now());
  const errors = invalid.length > 0 ? invalid : await checkAtGateway(api, keys);
  if (errors.length === 0) return keys;
  throw new Failure(`no keys were created, because ${file} has errors:\n${errors.map((one) => `  ${one}`).join('\n')}`);
}

/**
 * Errors that only the gateway can find, as messages: operations and addresses that there are not, and keys that exist
 * already, because the file has probably been imported before.
 */
async function checkAtGateway(api: AdminApi, keys: readonly NewKey[]): Promise<string[]> {
  const { columnOf } = await import('./key-csv.ts');
  const errors: string[] = [];
  for (let first = 0; first < keys.length; first += BATCH_SIZE) {
    const batch = keys.slice(first, first + BATCH_SIZE);
    const lineOf = (index: number) => `line ${batch[index]?.line}`;
    try {
      const { existing } = (await sendBatch<DryRunAnswer>(api, batch, { query: { dryRun: 'true' } })).body;
      for (const { index, id } of existing) {
        errors.push(`${lineOf(index)}: this key already exists as ${id}: remove the line, or change the name`);
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.details.length === 0) throw error;
      for (const { path, message } of error.details) {
        errors.push(`${lineOf(Number(path.split('/')[2]))}: ${columnOf(path)} ${message}`);
      }
    }
  }
  return errors;
}

interface DryRunAnswer {
  readonly existing: readonly { readonly index: number; readonly id: string }[];
}

function sendBatch<T>(api: AdminApi, batch: readonly NewKey[], sent: Sent): Promise<Answer<T>> {
  return api.call<T>('POST', '/keys/import', { ...sent, json: { keys: batch.map(({ key }) => key) } });
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Failure(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `${path} is not UTF-8: save it as UTF-8`
        : `cannot read ${path} (${code}): check the path and its permissions`,
    );
  }
}

/**
 * Keys per call. The API accepts more, but writes each call in one transaction, and with an embedded database all other
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
  keys: readonly NewKey[],
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
      items = (await sendBatch<{ items: readonly NewKeyAnswer[] }>(api, batch, { reason })).body.items;
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
  readonly done: readonly NewKey[];
  readonly batch: readonly NewKey[];
  readonly rest: readonly NewKey[];
}

function stopped(error: Failure, { done, batch, rest }: Places, output: string): Failure {
  const unknown = mayBeCreated(error);
  const out = unknown ? rest : [...batch, ...rest];
  const lines = [
    `the import stopped at ${linesOf(batch)}: ${describe(error, batch)}`,
    `  created:     ${linesOf(done)}${done.length > 0 ? ` (secrets in ${output})` : ''}`,
    ...(unknown ? [`  unknown:     ${linesOf(batch)} (the response was lost, with the secrets)`] : []),
    `  not created: ${linesOf(out)}`,
    ...(unknown ? ['"tollgate keys list" shows which of the unknown keys exist: revoke those.'] : []),
    'To create the rest, import those lines from a new file with the same header.',
  ];
  return new Failure(lines.join('\n'));
}

function unwritten(error: unknown, { done, batch, rest }: Places, output: string): Failure {
  return new Failure(
    `cannot write the secrets of ${linesOf(batch)} to ${output} (${(error as Error).message})\n` +
      `  created, secrets in the file: ${linesOf(done)}\n` +
      `  created, secrets lost:        ${linesOf(batch)} (get new ones with "tollgate keys rotate")\n` +
      `  not created:                  ${linesOf(rest)}`,
  );
}

/** A 4xx means that no key of the batch was created. Without a response, or after a 5xx, that is unknown. */
function mayBeCreated(error: Failure): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  return !(error instanceof NotReached && error.neverSent);
}

/** Turns the key indexes in the API's messages into line numbers. */
function describe(error: Failure, batch: readonly NewKey[]): string {
  return error.message.replaceAll(/keys\.(\d+)\./g, (_, index) => `line ${batch[Number(index)]?.line}: `);
}

function linesOf(keys: readonly NewKey[]): string {
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return 'none';
  return first === last ? `line ${first.line}` : `lines ${first.line} to ${last.line}`;
}

/** A new file for secrets, readable only by its owner. */
class SecretsFile {
  readonly path: string;
  readonly #file: number;
  #holdsSecrets = false;

  /** @throws Failure if the file already exists or cannot be created */
  constructor(path: string, columns: readonly string[]) {
    this.path = path;
    try {
      // Exclusive: an existing file may be readable by others, or hold the secrets of other keys.
      this.#file = openSync(path, 'wx', 0o600);
    } catch (error) {
      const { code = 'unwritable' } = error as NodeJS.ErrnoException;
      throw new Failure(
        code === 'EEXIST'
          ? `${path} already exists, and secrets are only written to a new file: choose another with --output`
          : `cannot create ${path} (${code}): choose another file with --output`,
      );
    }
    this.#write(csvLine(columns));
  }

  /** Returns when the secrets are on disk, because they cannot be shown again. */
  append(keys: readonly NewKeyAnswer[]): void {
    this.#holdsSecrets = true;
    this.#write(
      keys
        .map(({ owner, name, plan, limits, expiresAt, operations, addresses, id, key }) =>
          csvLine([
            owner,
            name,
            plan,
            limits?.minute ?? null,
            limits?.day ?? null,
            limits?.month ?? null,
            expiresAt,
            operations?.join(',') ?? null,
            addresses?.join(',') ?? null,
            id,
            key,
          ]),
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
