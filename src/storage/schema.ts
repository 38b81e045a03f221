/**
 * The tables of the embedded database, as the list of steps that lead to them. A released step is never edited: what
 * changes comes as a new one. `user_version` counts the steps a file has had.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE plans (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    minute_limit INTEGER,
    day_limit INTEGER,
    custom INTEGER NOT NULL,
    mode TEXT NOT NULL,
    on_store_failure TEXT NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE keys (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    plan TEXT NOT NULL,
    minute_limit INTEGER,
    day_limit INTEGER,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    prefix TEXT NOT NULL,
    last_four TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    quota_id TEXT NOT NULL,
    rotated_to TEXT,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX keys_by_owner ON keys (owner, sequence);
  CREATE INDEX keys_by_plan ON keys (plan, sequence);

  CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    reason TEXT,
    before TEXT,
    after TEXT
  ) STRICT;
  CREATE INDEX audit_by_subject ON audit (subject, sequence);
  CREATE INDEX audit_by_actor ON audit (actor, sequence);

  CREATE TABLE claims (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE quotas (
    quota_id TEXT PRIMARY KEY,
    seen INTEGER NOT NULL,
    minute_start INTEGER NOT NULL,
    minute_used INTEGER NOT NULL,
    minute_refused_at INTEGER NOT NULL,
    day_start INTEGER NOT NULL,
    day_used INTEGER NOT NULL,
    day_refused_at INTEGER NOT NULL,
    strikes INTEGER NOT NULL,
    strikes_since INTEGER NOT NULL,
    shadow INTEGER NOT NULL,
    ban_from INTEGER NOT NULL,
    ban_until INTEGER NOT NULL,
    ban_level INTEGER NOT NULL,
    ban_manual INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Some actions are rare, and asked for by themselves.
  'CREATE INDEX audit_by_action ON audit (action, sequence);',
];
