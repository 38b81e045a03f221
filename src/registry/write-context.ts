import type { Announce } from '../database/database.ts';
import type { Tx } from '../database/queries.ts';
import type { Dialect } from '../database/dialect.ts';
import type { ChangeContext } from './audit/audit-entry.ts';

/** What a change of keys or plans works with. */
export interface WriteContext {
  readonly tx: Tx;
  readonly dialect: Dialect;
  readonly announce: Announce;
  /** Who makes the change, when and why. */
  readonly change: ChangeContext;
}
