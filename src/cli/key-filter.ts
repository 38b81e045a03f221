import { type Command, InvalidArgumentError, Option } from 'commander';
import type { KeyResponse } from './admin-api-types.ts';
import { refuseSecrets } from './admin-api.ts';
import { UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { formatDay } from './output.ts';
import { formatTable } from './table.ts';

/** Options that select the keys to change. */
export interface KeyFilterOptions {
  readonly owner?: string;
  readonly plan?: string;
  readonly search?: string;
  readonly yes?: true;
}

export function withKeyFilter(command: Command): Command {
  return command
    .option('--owner <owner>', 'All keys of this owner', toFilter)
    .option('--plan <id>', 'All keys on this plan', toFilter)
    .option('--search <text>', 'All keys whose name, owner, id or prefix contains this text', toSearch)
    .option('--yes', 'Skip the confirmation prompt');
}

/** Refuses an empty value, which could be that of an unset shell variable, because it would select all keys. */
export function toFilter(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It is empty.');
}

export const KEY_KINDS = ['secret', 'foreign', 'token'];

/** Further options that select keys, by properties that change over time. */
export interface TimedFilterOptions extends AgeFilterOptions {
  readonly status?: string;
}

export interface AgeFilterOptions {
  readonly unusedFor?: string;
  readonly expiresWithin?: string;
}

export function withTimedFilter(command: Command): Command {
  return withAgeFilter(
    command.addOption(
      new Option('--status <status>', 'All keys with this status; expired keys count as active, too').choices([
        'active',
        ...STATES,
        'disabled',
      ]),
    ),
  );
}

export function withAgeFilter(command: Command): Command {
  return command
    .option('--unused-for <duration>', 'All keys not used for this long, such as 90d', parseAgeOption)
    .option('--expires-within <duration>', 'All keys that expire within this time, such as 14d', parseAgeOption);
}

/** Values of `--status` that the API filters by its parameter `state`, and not by `status`. */
const STATES = ['expired', 'rotating', 'banned'];

/** The query parameter of the API for a value of `--status`. */
export function toStatusQuery(status: string | undefined): { readonly state?: string; readonly status?: string } {
  if (status === undefined) return {};
  return STATES.includes(status) ? { state: status } : { status };
}

export function parseAgeOption(text: string): string {
  if (/^[1-9]\d{0,4}[smhd]$/.test(text)) return text;
  throw new InvalidArgumentError('Use a number and a unit: s, m, h or d, such as 90d.');
}

export function toSearch(text: string): string {
  if (Array.from(text).length >= 3) return text;
  throw new InvalidArgumentError('Use at least 3 characters.');
}

/** Whether any of the filters is given. @throws UsageFailure if a value is a secret */
export function hasFilter({ owner, plan, search }: KeyFilterOptions): boolean {
  const values = [owner, plan, search].filter((value) => value !== undefined);
  refuseSecrets(values);
  return values.length > 0;
}

/**
 * Asks to confirm a change of many keys, unless `--yes` is given. @throws UsageFailure without `--yes` if there is no
 * terminal
 */
export async function confirm(io: Io, { yes }: KeyFilterOptions, question: string): Promise<boolean> {
  if (yes === true) return true;
  if (io.ask === null) throw new UsageFailure('no keys were changed: use --yes to confirm without a terminal');
  return /^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim());
}

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'NAME' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'EXPIRES', whole: true },
  { title: 'LAST USED', whole: true },
];

export function formatKeyTable(io: Io, keys: readonly KeyResponse[]): string {
  return formatTable(
    COLUMNS,
    keys.map((key) => [
      key.id,
      key.owner,
      key.name,
      key.plan,
      formatStatus(key, io.now()),
      formatDay(key.expiresAt),
      formatDay(key.lastUsedAt),
    ]),
    io.columns,
  );
}

/** The status to show. The API reports an expired key as active. */
export function formatStatus({ status, expiresAt }: KeyResponse, now: number): string {
  return status === 'active' && expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : status;
}
