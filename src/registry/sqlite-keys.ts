import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { decodeCursor, pageOf } from './cursor.ts';
import type { Key, KeyFilter, KeyStatus, Page, PageRequest } from './registry.ts';
import { selectNewest } from './sqlite-select.ts';

interface KeyRow {
  readonly sequence: number;
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly minute_limit: number | null;
  readonly day_limit: number | null;
  readonly status: KeyStatus;
  readonly metadata: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly quota_id: string;
  readonly rotated_to: string | null;
  readonly revision: number;
}

export type KeyTable = ReturnType<typeof keyTable>;

/** The table of keys: rows in and out, no rules. */
export function keyTable(sqlite: DatabaseSync) {
  const byId = sqlite.prepare('SELECT * FROM keys WHERE id = ?');
  const byHash = sqlite.prepare('SELECT * FROM keys WHERE hash = ?');
  const inUse = sqlite.prepare(`SELECT 1 FROM keys WHERE plan = ? AND status <> 'revoked' LIMIT 1`);
  const insert = sqlite.prepare(`
    INSERT INTO keys
      (id, hash, name, owner, plan, minute_limit, day_limit, status, metadata, prefix, last_four, created_at,
       expires_at, last_used_at, quota_id, rotated_to, revision)
    VALUES
      (:id, :hash, :name, :owner, :plan, :minute, :day, :status, :metadata, :prefix, :lastFour, :createdAt,
       :expiresAt, :lastUsedAt, :quotaId, :rotatedTo, :revision)`);
  const update = sqlite.prepare(`
    UPDATE keys
    SET name = :name, plan = :plan, minute_limit = :minute, day_limit = :day, status = :status, metadata = :metadata,
      expires_at = :expiresAt, rotated_to = :rotatedTo, revision = :revision
    WHERE id = :id`);
  const touch = sqlite.prepare(`
    UPDATE keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)`);
  const select = selectNewest(sqlite, 'keys');

  return {
    get: (id: string): Key | null => found(byId.get(id)),
    findByHash: (hash: string): Key | null => found(byHash.get(hash)),
    /** Whether any key that is not revoked is on the plan. */
    usePlan: (plan: string): boolean => inUse.get(plan) !== undefined,
    insert(key: Key): void {
      insert.run({ ...mutableColumns(key), ...fixedColumns(key) });
    },
    /** Writes what can change of a key; when it was last used is left to `touch`. */
    update(key: Key): void {
      update.run({ ...mutableColumns(key), id: key.id });
    },
    touch(id: string, at: number): void {
      touch.run({ id, at });
    },
    list(filter: KeyFilter, page: PageRequest): Page<Key> {
      const before = page.cursor === undefined ? undefined : decodeCursor('keys', page.cursor);
      const where = { 'sequence <': before, 'owner =': filter.owner, 'plan =': filter.plan, 'status =': filter.status };
      const rows = select(where, page.limit + 1) as unknown as KeyRow[];
      return pageOf('keys', rows, page.limit, (row) => row.sequence, keyOf);
    },
  };
}

function found(row: unknown): Key | null {
  return row === undefined ? null : keyOf(row as KeyRow);
}

function keyOf(row: KeyRow): Key {
  const { id, name, owner, plan, minute_limit: minute, day_limit: day, status, hash, prefix, revision } = row;
  return {
    id,
    name,
    owner,
    plan,
    status,
    hash,
    prefix,
    revision,
    limits: minute === null || day === null ? null : { minute, day },
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    quotaId: row.quota_id,
    rotatedTo: row.rotated_to,
  };
}

function mutableColumns(key: Key): Record<string, SQLInputValue> {
  const { name, plan, limits, status, metadata, expiresAt, rotatedTo, revision } = key;
  return {
    name,
    plan,
    status,
    expiresAt,
    rotatedTo,
    revision,
    minute: limits?.minute ?? null,
    day: limits?.day ?? null,
    metadata: JSON.stringify(metadata),
  };
}

function fixedColumns(key: Key): Record<string, SQLInputValue> {
  const { id, hash, owner, prefix, lastFour, createdAt, lastUsedAt, quotaId } = key;
  return { id, hash, owner, prefix, lastFour, createdAt, lastUsedAt, quotaId };
}
