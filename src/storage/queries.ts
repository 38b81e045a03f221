import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs queries: the database, or a transaction on it. */
export type Queries = Kysely<Tables>;
export type Tx = Transaction<Tables>;
