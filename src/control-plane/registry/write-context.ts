import { RegistryError } from '../../domain/registry-error.ts';
import type { Tx } from '../../storage/tables.ts';
import type { Announce, Database } from '../../storage/database.ts';
import type { Dialect } from '../../storage/dialect.ts';
import type { ChangeContext } from './audit-log.ts';

/** Dependencies of a change to keys, plans or accounts. */
export interface WriteContext {
  readonly tx: Tx;
  readonly dialect: Dialect;
  readonly announce: Announce;
  /** The actor, time and reason of the change. */
  readonly change: ChangeContext;
}

/**
 * Makes a change with all its audit entries, or not at all. `work` may run several times: see `Database.transaction`.
 */
export function makeChange<T>(
  database: Database,
  change: ChangeContext,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  const { dialect } = database;
  return database.transaction((tx, announce) => work({ tx, announce, dialect, change }));
}

/** @throws RegistryError `conflict` if a revision is expected and the actual one differs */
export function checkRevision(subject: string, actual: number, expected: number | undefined): void {
  if (expected === undefined || expected === actual) return;
  const actualState = actual === 0 ? 'does not exist' : `is at revision ${actual}`;
  throw new RegistryError('conflict', `${subject} ${actualState}, not at ${expected}: read it again, then retry`);
}
