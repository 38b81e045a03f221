import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BulkPreviewResponse, BulkProgressResponse } from './admin-api-types.ts';
import { type AdminApi, ApiError, connect, refuseSecrets } from './admin-api.ts';
import { type AdminCommandOptions } from './command.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import {
  hasFilter,
  KEY_KINDS,
  confirm,
  formatKeyTable,
  type KeyFilterOptions,
  toFilter,
  toStatusQuery,
  type TimedFilterOptions,
  withKeyFilter,
  withTimedFilter,
} from './key-filter.ts';
import { printJson, Progress } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatCommandLine } from '../base/portable/shell.ts';

export interface BulkOptions extends AdminCommandOptions, KeyFilterOptions, TimedFilterOptions {
  readonly reason?: string;
  readonly bulk?: string;
  readonly kind?: string;
  readonly token?: string;
  readonly dryRun?: true;
  readonly digest?: string;
}

/** A command that changes many keys. */
export interface BulkVerb {
  readonly action: 'disable' | 'enable' | 'revoke' | 'ban' | 'lift';
  /** The words of the command, such as `keys disable`. */
  readonly words: readonly string[];
  /** Returns a question such as "Disable 3 keys?". */
  readonly question: (keys: string) => string;
  /** Returns a message such as "Disabled 3 keys". */
  readonly done: (changed: number) => string;
  /** The words of the command that undoes the change, if there is such a command. */
  readonly undo?: readonly string[];
}

/** Adds the options of a command that takes ids or a filter. */
export function withBulkOptions(command: Command): Command {
  return withTimedFilter(withKeyFilter(command))
    .addOption(new Option('--kind <kind>', 'All keys of this kind').choices(KEY_KINDS))
    .option('--token <name>', 'All callers with access tokens of this issuer', toFilter)
    .option('--bulk <id>', 'All keys that this bulk change changed, to undo it', toBulkId)
    .option('--dry-run', 'Show which keys would be changed, with a digest of them')
    .option('--digest <digest>', 'Change the keys that were shown with this digest, or resume that change');
}

export const BULK_HELP = `
A change to many keys is previewed and must be confirmed. It is made in batches of 100 keys. If it is interrupted, run the same
command with --digest to continue.`;

function toBulkId(text: string): string {
  if (/^bulk_[0-9A-Za-z]{20}$/.test(text)) return text;
  throw new InvalidArgumentError('Use the id of a bulk change, such as bulk_zh3q4XDbm1NAs5NvTGuj.');
}

/**
 * The id of the key if the command changes only one key; null if it changes many. @throws UsageFailure if there are
 * neither ids nor a filter
 */
export function findSingleKey(ids: readonly string[], options: BulkOptions): string | null {
  const { bulk, kind, token, dryRun, digest, status, unusedFor, expiresWithin } = options;
  const others = [bulk, kind, token, status, unusedFor, expiresWithin];
  const isFiltered = hasFilter(options) || others.some((value) => value !== undefined);
  const [id] = ids;
  if (id === undefined && !isFiltered) {
    throw new UsageFailure(
      'give ids of keys, or at least one of --owner, --plan, --search, --status, --unused-for, --expires-within, --kind, ' +
        '--token and --bulk',
    );
  }
  if (id === undefined || ids.length > 1 || isFiltered || dryRun === true || digest !== undefined) return null;
  return id;
}

/** Previews a change, asks to confirm it, and makes it in batches. */
export async function changeMany(
  io: Io,
  verb: BulkVerb,
  ids: readonly string[],
  options: BulkOptions & { readonly seconds?: number; readonly message?: string },
): Promise<void> {
  refuseSecrets(ids);
  if (options.dryRun === true && options.digest !== undefined) {
    throw new UsageFailure('--dry-run and --digest cannot be combined');
  }
  const { owner, plan, search: q, bulk, kind, token, json, digest, reason, message, seconds } = options;
  const { status, unusedFor, expiresWithin } = options;
  const timed = { ...toStatusQuery(status), unusedFor, expiresWithin };
  const filter = {
    owner,
    plan,
    q,
    bulkId: bulk,
    kind,
    token,
    ...timed,
    ...(ids.length === 0 ? {} : { ids: [...new Set(ids)] }),
  };
  const request = { action: verb.action, filter, seconds, reason, message };
  const api = connect(io);
  const previewed =
    digest === undefined
      ? (await api.call<BulkPreviewResponse>('POST', '/keys/bulk', { json: { ...request, preview: true } })).body
      : null;
  const formatCommand = (confirmedDigest: string) =>
    formatCommandLine([...verb.words, ...ids], {
      owner,
      plan,
      search: q,
      status,
      'unused-for': unusedFor,
      'expires-within': expiresWithin,
      bulk,
      kind,
      token,
      seconds,
      reason,
      message,
      digest: confirmedDigest,
    });
  if (previewed !== null) {
    // With --json, standard output is only for the JSON document, so the preview goes to standard error.
    const show = (text: string) => (json === true ? io.err(text) : io.out(text));
    const isShort = json === true && (options.dryRun === true || options.yes === true);
    if (!isShort) show(formatPreview(io, previewed));
    if (options.dryRun === true) {
      if (json === true) return printJson(io, previewed);
      if (previewed.total > 0) io.out(`To change these keys, run:\n  ${formatCommand(previewed.digest)}\n`);
      return;
    }
    const isConfirmed =
      previewed.total > 0 && (await confirm(io, options, verb.question(pluralize(previewed.keys, 'key'))));
    if (!isConfirmed) {
      if (json === true) return printJson(io, { action: verb.action, changed: 0, finished: false });
      if (previewed.total > 0) io.out('Canceled. No keys were changed.\n');
      return;
    }
  }
  const confirmedDigest = digest ?? previewed?.digest ?? '';
  const resume = formatCommand(confirmedDigest);
  const isLong = previewed === null || previewed.total > BATCH_SIZE;
  if (io.watched && isLong) io.err(`If this is interrupted, continue with:\n  ${resume}\n`);
  const progress = await run(io, api, { ...request, digest: confirmedDigest }, resume);
  if (json === true) return printJson(io, progress);
  io.out(`${verb.done(progress.changed)} (${progress.bulkId}).\n`);
  if (progress.skipped > 0) io.out(`${pluralize(progress.skipped, 'key')} no longer matched and did not change.\n`);
  if (verb.undo !== undefined && progress.changed > 0) {
    const undo = formatCommandLine(verb.undo, { bulk: progress.bulkId });
    io.out(`To undo, run "${undo}${verb.undo[0] === 'bans' ? ' --reason TEXT' : ''}".\n`);
  }
}

/** Number of keys or quotas that one call to the API changes. */
const BATCH_SIZE = 100;

function formatPreview(io: Io, { action, keys, total, usedToday, sample }: BulkPreviewResponse): string {
  if (total === 0) return `There are no matching ${action === 'lift' ? 'bans' : 'keys'} to ${action}.\n`;
  const quotasSuffix = action === 'ban' || action === 'lift' ? ` with ${pluralize(total, 'quota')}` : '';
  const rest =
    keys > sample.length
      ? `The ${sample.length} newest of ${pluralize(keys, 'key')}${quotasSuffix}`
      : `${pluralize(keys, 'key')}${quotasSuffix}`;
  const usageText =
    usedToday === 0 ? 'None of the keys was' : `${usedToday} of the keys ${usedToday === 1 ? 'was' : 'were'}`;
  return `${rest}:\n\n${formatKeyTable(io, sample)}\n${usageText} used today (UTC).\n`;
}

/** Makes the change, batch by batch. @throws Failure with the command to continue */
async function run(io: Io, api: AdminApi, json: object, resume: string): Promise<BulkProgressResponse> {
  let last: BulkProgressResponse | null = null;
  const bar = new Progress(io, 'done');
  try {
    do {
      last = (await api.call<BulkProgressResponse>('POST', '/keys/bulk', { json })).body;
      bar.show(last.done, last.total);
    } while (!last.finished);
    return last;
  } catch (error) {
    // If the first call was refused, nothing has been changed.
    const isRefused = error instanceof ApiError && error.status < 500;
    if (!(error instanceof Failure) || (isRefused && last === null)) throw error;
    bar.end();
    const progressText =
      last === null ? 'Some of the keys may have been changed.' : `${last.done} of ${last.total} are done.`;
    throw new Failure(`${error.message}\n  ${progressText} To continue, run:\n  ${resume}`);
  } finally {
    bar.end();
  }
}
