import { InvalidArgumentError, type Command } from 'commander';
import type { AdminApi, Query } from './api.ts';

export interface ListOptions {
  readonly limit: number;
  readonly all?: true;
  readonly cursor?: string;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** Null where the list ends. */
  readonly nextCursor: string | null;
}

/** The most that the API gives at once. */
const PAGE = 100;
const USUAL = 100;

export function withListOptions(command: Command): Command {
  return command
    .option('--limit <count>', 'show at most so many', toCount, USUAL)
    .option('--all', 'show all of them')
    .option('--cursor <cursor>', 'go on where a list ended (its nextCursor)');
}

/** Reads as many pages as it takes. */
export async function list<T>(api: AdminApi, path: string, query: Query, options: ListOptions): Promise<Listed<T>> {
  const wanted = options.all === true ? Infinity : options.limit;
  const items: T[] = [];
  let cursor: string | null | undefined = options.cursor;
  do {
    const limit = Math.min(PAGE, wanted - items.length);
    const page: Listed<T> = (
      await api.call<Listed<T>>('GET', path, { query: { ...query, limit, cursor: cursor ?? undefined } })
    ).body;
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < wanted);
  return { items, nextCursor: cursor };
}

export function listAll<T>(api: AdminApi, path: string): Promise<Listed<T>> {
  return list<T>(api, path, {}, { limit: PAGE, all: true });
}

/** A positive whole number. */
export function toCount(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, at least 1.');
}
