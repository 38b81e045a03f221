import { resolve } from 'node:path';
import type { KeyResponse, NewKeyResponse } from './admin-api-types.ts';
import { ApiError, connect, mayHaveSucceeded, joinPath } from './admin-api.ts';
import { readWholeList } from './admin-list.ts';
import { type AdminCommandOptions, type ReasonOption } from './command.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { type AgeFilterOptions, confirm, formatKeyTable, type KeyFilterOptions, formatStatus } from './key-filter.ts';
import { printJson, Progress } from './output.ts';
import { pluralize } from '../base/text.ts';
import { SecretsFile } from './secrets-file.ts';
import { formatCommandLine } from '../base/portable/shell.ts';

export interface RotateManyOptions extends AdminCommandOptions, ReasonOption, KeyFilterOptions, AgeFilterOptions {
  readonly output?: string;
  readonly createdBefore?: string;
}

interface Grace {
  readonly body: object;
  readonly options: Readonly<Record<string, string | number | undefined>>;
}

const COLUMNS = ['owner', 'name', 'plan', 'replaces', 'id', 'key'];
const SAMPLE = 10;
/** HTTP statuses that mean that someone else changed the key in the meantime. */
const SKIPPED_STATUSES: ReadonlySet<number> = new Set([404, 409]);

/**
 * Rotates all matching keys one by one. The secret of each new key is written to a file before the next key is rotated.
 * In a rotation chain, only the newest key is rotated, and only if it is active.
 *
 * @param grace the grace period of the old keys, as the body of the request and as options of the command
 */
export async function rotateMany(io: Io, options: RotateManyOptions, grace: Grace): Promise<void> {
  const { owner, plan, search, unusedFor, expiresWithin, output, createdBefore, json, reason } = options;
  if (output === undefined) throw new UsageFailure('--output is required: name a new file for the secrets');
  const api = connect(io);
  const filter = { owner, plan, q: search, unusedFor, expiresWithin, status: 'active' };
  const active = (await readWholeList<KeyResponse>(api, '/keys', filter)).items;
  const limit = createdBefore === undefined ? Infinity : Date.parse(createdBefore);
  const keys = active.filter(
    (key) =>
      key.kind !== 'token' &&
      key.rotatedTo === null &&
      formatStatus(key, io.now()) === 'active' &&
      Date.parse(key.createdAt) < limit,
  );
  const show = (text: string) => (json === true ? io.err(text) : io.out(text));
  if (keys.length === 0) {
    if (json === true) return printJson(io, { rotated: 0, output: null });
    return io.out('No active key matches.\n');
  }
  if (json !== true || options.yes !== true) show(formatPreview(io, keys));
  if (!(await confirm(io, options, `Rotate ${pluralize(keys.length, 'key')}?`))) {
    if (json === true) return printJson(io, { rotated: 0, output: null });
    return io.out('Canceled. No keys were changed.\n');
  }
  // A second run with this limit leaves out the new keys, because they are younger.
  const newest = Math.max(...keys.map(({ createdAt }) => Date.parse(createdAt)));
  const before = new Date(newest + 1).toISOString();
  const rest = formatCommandLine(['keys', 'rotate'], {
    owner,
    plan,
    search,
    'unused-for': unusedFor,
    'expires-within': expiresWithin,
    ...grace.options,
    'created-before': before,
    reason,
    output: 'OTHER-FILE',
  });
  const secrets = new SecretsFile(resolve(io.cwd, output), COLUMNS);
  if (io.watched && keys.length > 1) io.err(`If this is interrupted, rotate the rest with:\n  ${rest}\n`);
  const progress = new Progress(io, 'keys');
  const skipped: string[] = [];
  let rotated = 0;
  try {
    for (const key of keys) {
      progress.show(rotated + skipped.length, keys.length);
      try {
        const input = { json: grace.body, reason };
        const newKey = (await api.call<NewKeyResponse>('POST', joinPath('keys', key.id, 'rotate'), input)).body;
        secrets.append([[newKey.owner, newKey.name, newKey.plan, key.id, newKey.id, newKey.key]]);
        rotated += 1;
      } catch (error) {
        if (error instanceof ApiError && SKIPPED_STATUSES.has(error.status)) {
          skipped.push(`  ${key.id}: ${error.message}`);
          continue;
        }
        throw createStoppedFailure(error as Error, key.id, { path: output, rotated, total: keys.length, rest });
      }
    }
    progress.show(keys.length, keys.length);
  } finally {
    progress.end();
    secrets.close();
  }
  if (skipped.length > 0) {
    const where = rotated === 0 ? '' : ` (secrets in ${secrets.path})`;
    throw new Failure(
      `rotated ${pluralize(rotated, 'key')}${where}, but not these, which have changed in the meantime:\n${skipped.join('\n')}`,
    );
  }
  if (json === true) return printJson(io, { rotated, output: secrets.path });
  io.out(`Rotated ${pluralize(rotated, 'key')}. The secrets are in ${secrets.path}, which only you can read.\n`);
}

function formatPreview(io: Io, keys: readonly KeyResponse[]): string {
  const sample = keys.slice(0, SAMPLE);
  const head =
    keys.length > SAMPLE ? `The ${SAMPLE} newest of ${pluralize(keys.length, 'key')}` : pluralize(keys.length, 'key');
  return `${head}:\n\n${formatKeyTable(io, sample)}\n`;
}

interface RotationProgress {
  readonly path: string;
  readonly rotated: number;
  readonly total: number;
  /** The command for rotating the remaining keys. */
  readonly rest: string;
}

function createStoppedFailure(error: Error, id: string, { path, rotated, total, rest }: RotationProgress): Failure {
  const isLost = error instanceof Failure ? mayHaveSucceeded(error) : true;
  const why = error instanceof Failure ? error.message : `the secret could not be written (${error.message})`;
  const left = total - rotated - (isLost ? 1 : 0);
  const lines = [
    `stopped at key ${id}: ${why}`,
    `  rotated:     ${pluralize(rotated, 'key')}${rotated === 0 ? '' : ` (secrets in ${path})`}`,
    ...(isLost
      ? [
          `  unknown:     ${id} (the new secret is lost if the key was rotated: "tollgate keys show ${id}" then shows the key ` +
            'that replaced it; rotate that one)',
        ]
      : []),
    `  not rotated: ${pluralize(left, 'key')}`,
    `To rotate the rest, run:\n  ${rest}`,
  ];
  return new Failure(lines.join('\n'));
}
