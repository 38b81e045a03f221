import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Plan } from '../domain/plan.ts';
import type { ImportCheckResponse, ImportedKeyResponse } from './admin-api-types.ts';
import {
  type AdminApi,
  type ApiResponse,
  ApiError,
  connect,
  mayHaveSucceeded,
  type RequestInput,
} from './admin-api.ts';
import { readWholeList } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions, REASON_OPTION, type ReasonOption } from './command.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import type { NewKey } from './key-csv.ts';
import { printJson, Progress } from './output.ts';
import { pluralize } from '../base/text.ts';
import { type CsvRow, SecretsFile } from './secrets-file.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly output?: string;
  readonly dryRun?: true;
  readonly random?: true;
}

const FORMAT_HELP = `
The file is CSV with a header line:

  owner,name,plan,minute,day,month,concurrent,expiresAt,operations,addresses
  acme,Shop backend,pro,,,,,,,
  acme,"Feed, nightly",enterprise,5000,2000000,,,2027-12-31T00:00:00Z,,
  acme,Till,pro,,,,5,,"listPets,tag:orders",192.0.2.0/24

Only owner, name and plan are required. externalId, an id of your choice, is unique per owner: lines whose owner and
externalId already exist are skipped, so the same file can be imported again.

To move keys from another gateway, add the columns sha256 (of the secret, in hexadecimal), prefix (its first characters)
and lastFour, and confirm with --random that the secrets have at least 128 bits of entropy. The keys keep their secrets,
so --output is not needed. The setting keys.foreign says where the gateway reads them.

The columns minute, day and month apply only to custom plans. concurrent, operations and addresses restrict the key, as
in "tollgate keys create"; put lists in quotes. With "report" in the column validation, requests of the key that do not
fit the document are only counted.

All lines are checked before the first key is created. A key without externalId and sha256 is refused if it has the
owner, name and plan of an existing key that is not revoked. New secrets go into a new file that only you can read.`;

export function createKeysImportCommand(io: Io): Command {
  return createAdminCommand(
    'import',
    'Create many keys from a CSV file',
    'keys import new-keys.csv --output secrets.csv',
    'keys import old-keys.csv --random',
  )
    .argument('<file>', 'CSV file')
    .option('--output <file>', 'New file for the secrets (required if secrets are created)')
    .option('--dry-run', 'Check the file without creating keys')
    .option('--random', 'Confirm that the secrets given as sha256 have at least 128 bits of entropy')
    .option(...REASON_OPTION)
    .addHelpText('after', FORMAT_HELP)
    .action((file: string, options: Options) => importFile(io, file, options));
}

async function importFile(io: Io, file: string, options: Options): Promise<void> {
  const { json, reason, output, dryRun, random = false } = options;
  const api = connect(io);
  const { keys, unchanged } = await readKeys(io, { api, random }, file);
  const needsOutput = keys.some(({ key }) => key.sha256 === undefined);
  const skipped = unchanged === 0 ? '' : ` ${pluralize(unchanged, 'key')} had been imported before and did not change.`;
  if (dryRun === true) {
    if (json === true) return printJson(io, { dryRun: true, keys: keys.length, unchanged });
    const created = `${file} is valid. Without --dry-run, ${pluralize(keys.length, 'key')} would be created.`;
    return io.out(`${created}${skipped}\n`);
  }
  if (output === undefined && needsOutput)
    throw new UsageFailure('--output is required: name a new file for the secrets');
  const { COLUMNS } = await import('./key-csv.ts');
  const columns = COLUMNS.filter((column) => !SECRET_COLUMNS.has(column));
  const secrets = needsOutput ? new SecretsFile(resolve(io.cwd, output ?? ''), [...columns, 'id', 'key']) : null;
  const progress = new Progress(io, 'keys');
  try {
    await importKeys({ api, random }, keys, secrets, reason, (done) => progress.show(done, keys.length));
  } finally {
    progress.end();
    secrets?.close();
  }
  if (json === true) return printJson(io, { imported: keys.length, unchanged, output: secrets?.path ?? null });
  const where = secrets === null ? '' : ` The secrets are in ${secrets.path}, which only you can read.`;
  io.out(`Created ${pluralize(keys.length, 'key')}.${where}${skipped}\n`);
}

/** The API and a common parameter of all calls of an import. */
interface Import {
  readonly api: AdminApi;
  readonly random: boolean;
}

/** Columns that describe an existing secret. */
const SECRET_COLUMNS: ReadonlySet<string> = new Set(['sha256', 'prefix', 'lastFour']);

interface CheckedKeys {
  /** The keys to create. */
  readonly keys: readonly NewKey[];
  /** The number of keys that already existed because they were imported before. */
  readonly unchanged: number;
}

/** Reads the keys from the file and checks them. @throws Failure with all errors of the file */
async function readKeys(io: Io, importing: Import, file: string): Promise<CheckedKeys> {
  const text = readText(resolve(io.cwd, file));
  const plans = (await readWholeList<Plan>(importing.api, '/plans')).items;
  const { readKeyFile } = await import('./key-csv.ts');
  const { keys, errors: invalid } = readKeyFile(text, plans, io.now());
  const { unchanged, errors } =
    invalid.length > 0 ? { unchanged: new Set(), errors: invalid } : await checkAtGateway(importing, keys);
  if (errors.length === 0) return { keys: keys.filter((key) => !unchanged.has(key)), unchanged: unchanged.size };
  throw new Failure(`no keys were created, because ${file} has errors:\n${errors.map((one) => `  ${one}`).join('\n')}`);
}

/**
 * Finds keys that were imported before, and errors that only the gateway can find: unknown operations, invalid
 * addresses, and keys that already exist, probably because the file was imported before.
 */
async function checkAtGateway(importing: Import, keys: readonly NewKey[]) {
  const { findColumn: columnOf } = await import('./key-csv.ts');
  const errors = findRepeatedIds(keys);
  const before = new Set<NewKey>();
  for (let first = 0; first < keys.length; first += BATCH_SIZE) {
    const batch = keys.slice(first, first + BATCH_SIZE);
    const formatLineNumber = (index: number) => `line ${batch[index]?.line}`;
    try {
      const input = { query: { dryRun: 'true' } };
      const { existing, unchanged } = (await sendBatch<ImportCheckResponse>(importing, batch, input)).body;
      for (const { index } of unchanged) before.add(batch[index]!);
      for (const { index, id } of existing) {
        errors.push(
          `${formatLineNumber(index)}: this key already exists as ${id}: remove the line, or change the name`,
        );
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.details.length === 0) throw error;
      for (const { path, message } of error.details) {
        errors.push(`${formatLineNumber(Number(path.split('/')[2]))}: ${columnOf(path)} ${message}`);
      }
    }
  }
  return { unchanged: before, errors };
}

/**
 * Finds lines with the same secret, or the same owner and external id, as an earlier line. The gateway cannot find all
 * of them, because it sees one batch at a time.
 */
function findRepeatedIds(keys: readonly NewKey[]): string[] {
  const seen = new Map<string, number>();
  return keys.flatMap(({ line, key: { sha256, owner, externalId } }) => {
    const identities = [
      ['sha256', sha256?.toLowerCase()],
      ['externalId', externalId === null ? undefined : JSON.stringify([owner, externalId])],
    ] as const;
    return identities.flatMap(([column, identity]) => {
      if (identity === undefined) return [];
      const earlier = seen.get(identity);
      if (earlier !== undefined) return [`line ${line}: ${column} is the same as in line ${earlier}`];
      seen.set(identity, line);
      return [];
    });
  });
}

function sendBatch<T>({ api, random }: Import, batch: readonly NewKey[], input: RequestInput): Promise<ApiResponse<T>> {
  return api.call<T>('POST', '/keys/import', { ...input, json: { random, keys: batch.map(({ key }) => key) } });
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
 * Number of keys per call. The API accepts more, but creates them in one transaction. With SQLite, all other requests
 * to the gateway wait for that transaction.
 */
const BATCH_SIZE = 250;

/**
 * Creates the keys in batches, and writes their secrets to `secrets`.
 *
 * @param onProgress called with the number of keys created so far
 * @throws Failure at the first batch that fails; the message lists the lines that were imported and those that were not
 */
async function importKeys(
  importing: Import,
  keys: readonly NewKey[],
  secrets: SecretsFile | null,
  reason: string | undefined,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let done = 0; done < keys.length; done += BATCH_SIZE) {
    onProgress(done);
    const batch = keys.slice(done, done + BATCH_SIZE);
    const places = { done: keys.slice(0, done), batch, rest: keys.slice(done + BATCH_SIZE) };
    let items: readonly ImportedKeyResponse[];
    try {
      items = (await sendBatch<{ items: readonly ImportedKeyResponse[] }>(importing, batch, { reason })).body.items;
    } catch (error) {
      if (error instanceof Failure) throw createStoppedFailure(error, places, secrets?.path ?? null);
      throw error;
    }
    try {
      secrets?.append(items.filter(hasSecret).map(toSecretRow));
    } catch (error) {
      throw createUnwrittenFailure(error, places, secrets?.path ?? '');
    }
  }
  onProgress(keys.length);
}

type KeyWithSecret = ImportedKeyResponse & { readonly key: string };

function hasSecret(key: ImportedKeyResponse): key is KeyWithSecret {
  return key.key !== undefined;
}

/** The cells for a key, in the order of the columns. */
function toSecretRow(one: KeyWithSecret): CsvRow {
  const { owner, name, plan, limits, concurrent, expiresAt, operations, addresses, validation, externalId, id, key } =
    one;
  const { minute = null, day = null, month = null } = limits ?? {};
  const lists = [operations, addresses].map((list) => list?.join(',') ?? null);
  return [owner, name, plan, minute, day, month, concurrent, expiresAt, ...lists, validation, externalId, id, key];
}

interface Places {
  readonly done: readonly NewKey[];
  readonly batch: readonly NewKey[];
  readonly rest: readonly NewKey[];
}

function createStoppedFailure(error: Failure, { done, batch, rest }: Places, output: string | null): Failure {
  const unknown = mayHaveSucceeded(error);
  const notCreated = unknown ? rest : [...batch, ...rest];
  const lines = [
    `the import stopped at ${formatLines(batch)}: ${describe(error, batch)}`,
    `  created:     ${formatLines(done)}${done.length > 0 && output !== null ? ` (secrets in ${output})` : ''}`,
    ...(unknown
      ? [`  unknown:     ${formatLines(batch)} (the response was lost${output === null ? '' : ', with the secrets'})`]
      : []),
    `  not created: ${formatLines(notCreated)}`,
    ...(unknown && output !== null
      ? ['"tollgate keys list" shows which of the unknown keys exist: revoke those.']
      : []),
    output === null && [...batch, ...rest].every(({ key }) => key.externalId !== null)
      ? 'To create the rest, import the same file again.'
      : 'To create the rest, import those lines from a new file with the same header.',
  ];
  return new Failure(lines.join('\n'));
}

function createUnwrittenFailure(error: unknown, { done, batch, rest }: Places, output: string): Failure {
  return new Failure(
    `cannot write the secrets of ${formatLines(batch)} to ${output} (${(error as Error).message})\n` +
      `  created, secrets in the file: ${formatLines(done)}\n` +
      `  created, secrets lost:        ${formatLines(batch)} (get new ones with "tollgate keys rotate")\n` +
      `  not created:                  ${formatLines(rest)}`,
  );
}

/** Replaces the indexes of keys in the API's message by line numbers. */
function describe(error: Failure, batch: readonly NewKey[]): string {
  return error.message.replaceAll(/keys\.(\d+)\./g, (_, index) => `line ${batch[Number(index)]?.line}: `);
}

function formatLines(keys: readonly NewKey[]): string {
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return 'none';
  return first === last ? `line ${first.line}` : `lines ${first.line} to ${last.line}`;
}
