import { parseDatabase, type DatabaseLocation } from '../storage/database.ts';
import type { Faults } from '../base/configuration-faults.ts';
import { findTlsFault } from '../storage/postgres-tls.ts';
import { parseRedisUrl } from '../storage/redis/redis-url.ts';

/** The text of a setting, from the file or from the variable that overrides it. */
export interface SettingText {
  readonly text: string;
  /** The file and line, or `environment`. */
  readonly where: string;
  /** `database`, `store`, or the name of the variable. */
  readonly name: string;
}

interface Locations {
  readonly database: DatabaseLocation;
  readonly store: StoreLocation;
}

/** Parses where records and counters are stored. Null if either setting is invalid. */
export function readLocations(
  database: SettingText,
  store: SettingText,
  dataDir: string,
  faults: Faults,
): Locations | null {
  const locations = { database: readDatabase(database, dataDir, faults), store: readStore(store, faults) };
  if (locations.database === null || locations.store === null) return null;
  if (locations.database.kind === 'postgres' && locations.store.kind === 'embedded') {
    faults.add(
      store.where,
      store.name,
      'must be redis://HOST:PORT (or rediss:, redis-cluster:) when the database is PostgreSQL: gateways that share keys ' +
        'must also share their counters',
    );
  }
  return locations as Locations;
}

export function readDatabase(
  { text, where, name }: SettingText,
  dataDir: string,
  faults: Faults,
): DatabaseLocation | null {
  const location = parseDatabase(text, dataDir);
  const fault = location?.kind === 'postgres' ? findTlsFault(location.url) : null;
  if (fault !== null) {
    faults.add(where, name, fault);
    return null;
  }
  if (location !== null) return location;
  const message = /^(rediss?|redis-cluster):/.test(text)
    ? 'names Redis, which cannot be the database: use sqlite:tollgate.db for one gateway, postgres://HOST/DATABASE for ' +
      'several, and set store to the Redis URL'
    : 'must be sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE with reserved characters percent-encoded';
  faults.add(where, name, message);
  return null;
}

function readStore({ text, where, name }: SettingText, faults: Faults): StoreLocation | null {
  const location = parseStore(text);
  if (location !== null) return location;
  const databaseSetting = name === 'store' ? 'database' : 'TOLLGATE_DATABASE';
  const message = text.startsWith('sqlite:')
    ? `is a database URL: set it as ${databaseSetting}, and set this to embedded`
    : describeStoreFault(text);
  faults.add(where, name, message);
  return null;
}

/** The location of counters and bans. A URL may contain a password: do not log it. */
export type StoreLocation = { readonly kind: 'embedded' } | { readonly kind: 'redis'; readonly url: string };

/**
 * Parses `embedded`, `redis://…`, `rediss://…` or `redis-cluster://HOST:PORT,…` (see `parseRedisUrl`).
 *
 * @returns null if it is none of these
 */
function parseStore(text: string): StoreLocation | null {
  if (text === 'embedded') return { kind: 'embedded' };
  return parseRedisUrl(text) === null ? null : { kind: 'redis', url: text };
}

/** Describes why `parseStore` rejected a text. Never quotes the text, because it may contain a password. */
function describeStoreFault(text: string): string {
  // For example, a slash in a password would end it early, and the rest would be parsed as a path.
  const credentials = /^(?:rediss?|redis-cluster):\/\/(.*)@/s.exec(text)?.[1];
  if (credentials !== undefined && /[/?#]|%(?![0-9a-f]{2})/i.test(credentials)) {
    return 'has a user or password with reserved characters: percent-encode them (/ as %2F, ? as %3F, # as %23, % as %25)';
  }
  return 'must be embedded, redis://HOST:PORT, rediss://HOST:PORT or redis-cluster://HOST:PORT,HOST:PORT';
}
