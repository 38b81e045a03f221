import type { PostgresPoolClient } from 'kysely';
import {
  type AudienceRow,
  type ChunkTables,
  type CountRow,
  type DayRow,
  type Statements,
  toViolationDays,
  type ViolationDayRow,
  type ViolationTableRow,
} from '../store/chunk-tables.ts';
import { findDayColumn, startOfMonth } from '../store/calendar.ts';
import type { Durations } from '../store/duration-buckets.ts';
import type { Chunk, RefusalRecord, RepeatedRefusal, StoredResolution } from '../store/history-store.ts';
import { usageTables } from '../../../storage/history-tables.ts';

type Client = PostgresPoolClient;

const RESOLUTIONS = ['minute', 'hour', 'day'] as const;

/** Adds up durations that are packed as in `duration-buckets.ts`. */
const MERGED_DURATIONS = `(
  SELECT array_agg((bucket << 40) + count ORDER BY bucket) FROM (
    SELECT packed >> 40 AS bucket, sum(packed & ${2 ** 40 - 1})::BIGINT AS count
    FROM unnest(counts.durations || EXCLUDED.durations) AS packed GROUP BY 1
  ) AS buckets)`;

const ADD_COUNTS: Readonly<Record<StoredResolution, string>> = {
  minute: createAddStatement(usageTables.minute),
  hour: createAddStatement(usageTables.hour),
  day: createAddStatement(usageTables.day),
};

const RAISE_SEQUENCE = `
  INSERT INTO history_writers AS writers (id, last_sequence, at)
  VALUES ($1, $2, (extract(epoch FROM now()) * 1000)::BIGINT)
  ON CONFLICT (id) DO UPDATE SET last_sequence = EXCLUDED.last_sequence, at = EXCLUDED.at
  WHERE writers.last_sequence < EXCLUDED.last_sequence`;

const ADD_AUDIENCE = `
  INSERT INTO audience AS known (operation_no, key_no, first_at, last_at, requests)
  SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[])
  ON CONFLICT (operation_no, key_no) DO UPDATE SET
    first_at = least(known.first_at, EXCLUDED.first_at), last_at = greatest(known.last_at, EXCLUDED.last_at),
    requests = known.requests + EXCLUDED.requests`;

const ADD_FIGURES = `DO UPDATE SET
    requests = known.requests + EXCLUDED.requests, refused = known.refused + EXCLUDED.refused,
    first_at = least(known.first_at, EXCLUDED.first_at), last_at = greatest(known.last_at, EXCLUDED.last_at)`;

const ADD_VIOLATIONS = `
  INSERT INTO violations AS known
    (operation_no, kind, at, key_no, rule_no, requests, refused, first_at, last_at)
  SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[],
    $8::BIGINT[], $9::BIGINT[])
  ON CONFLICT (operation_no, kind, at, key_no, rule_no) ${ADD_FIGURES}`;

const ADD_VIOLATION_DAYS = `
  INSERT INTO violation_days AS known (operation_no, kind, rule_no, at, requests, refused, first_at, last_at)
  SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[],
    $8::BIGINT[])
  ON CONFLICT (operation_no, kind, rule_no, at) ${ADD_FIGURES}`;

const KEEP_REFUSALS = `
  INSERT INTO refusals (request_id, quota_id, at, key_no, facts)
  SELECT * FROM unnest($1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::TEXT[])
  ON CONFLICT DO NOTHING`;

const KEEP_REPEATED = `
  INSERT INTO repeated_refusals (request_id, key_no, at, stored_id)
  SELECT * FROM unnest($1::TEXT[], $2::BIGINT[], $3::BIGINT[], $4::TEXT[])
  ON CONFLICT DO NOTHING`;

/**
 * Raises the last sequence of a writer. Until the transaction ends, other chunks of the same writer wait.
 *
 * @returns false if this chunk or a later one has already been added
 */
export async function raiseSequence(client: Client, { writer, sequence }: Chunk): Promise<boolean> {
  const { rowCount } = await client.query(RAISE_SEQUENCE, [writer, sequence]);
  return (rowCount ?? 0) > 0;
}

export async function addChunk(
  client: Client,
  { counts, days, audience }: ChunkTables,
  violations: readonly ViolationTableRow[],
): Promise<void> {
  for (const every of RESOLUTIONS) await client.query(ADD_COUNTS[every], toCountColumns(counts[every]));
  for (const rows of Map.groupBy(days, ({ at }) => at).values()) await addDay(client, rows);
  await client.query(ADD_AUDIENCE, toAudienceColumns(audience));
  if (violations.length === 0) return;
  await client.query(ADD_VIOLATIONS, toViolationColumns(violations));
  await client.query(ADD_VIOLATION_DAYS, toViolationDayColumns(toViolationDays(violations)));
}

/** @param findNumber returns the number of a key's id */
export async function keepRefusals(
  client: Client,
  refusals: readonly RefusalRecord[],
  findNumber: (keyId: string) => number,
): Promise<void> {
  await client.query(KEEP_REFUSALS, [
    refusals.map(({ requestId }) => requestId),
    refusals.map(({ quotaId }) => quotaId),
    formatNumbers(refusals, ({ at }) => at),
    formatNumbers(refusals, ({ keyId }) => findNumber(keyId)),
    refusals.map(({ facts }) => JSON.stringify(facts)),
  ]);
}

/** @param findNumber returns the number of a key's id */
export async function keepRepeated(
  client: Client,
  repeated: readonly RepeatedRefusal[],
  findNumber: (keyId: string) => number,
): Promise<void> {
  await client.query(KEEP_REPEATED, [
    repeated.map(({ requestId }) => requestId),
    formatNumbers(repeated, ({ keyId }) => findNumber(keyId)),
    formatNumbers(repeated, ({ at }) => at),
    repeated.map(({ storedId }) => storedId),
  ]);
}

function toCountColumns(rows: readonly CountRow[]): string[] {
  return [
    formatNumbers(rows, ({ keyNo }) => keyNo),
    formatNumbers(rows, ({ at }) => at),
    formatNumbers(rows, ({ operationNo }) => operationNo),
    formatNumbers(rows, ({ outcomeNo }) => outcomeNo),
    formatNumbers(rows, ({ requests }) => requests),
    formatNumbers(rows, ({ refused }) => refused),
    formatNumbers(rows, ({ errors }) => errors),
    formatNumbers(rows, ({ clientErrors }) => clientErrors),
    formatNumbers(rows, ({ units }) => units),
    formatNumbers(rows, ({ refusedUnits }) => refusedUnits),
    formatDurations(rows),
  ];
}

function toViolationColumns(rows: readonly ViolationTableRow[]): string[] {
  return [
    formatNumbers(rows, ({ operationNo }) => operationNo),
    formatNumbers(rows, ({ kind }) => kind),
    formatNumbers(rows, ({ at }) => at),
    formatNumbers(rows, ({ keyNo }) => keyNo),
    formatNumbers(rows, ({ ruleNo }) => ruleNo),
    ...toFigureColumns(rows),
  ];
}

function toViolationDayColumns(rows: readonly ViolationDayRow[]): string[] {
  return [
    formatNumbers(rows, ({ operationNo }) => operationNo),
    formatNumbers(rows, ({ kind }) => kind),
    formatNumbers(rows, ({ ruleNo }) => ruleNo),
    formatNumbers(rows, ({ at }) => at),
    ...toFigureColumns(rows),
  ];
}

function toFigureColumns(rows: readonly ViolationDayRow[]): string[] {
  return [
    formatNumbers(rows, ({ requests }) => requests),
    formatNumbers(rows, ({ refused }) => refused),
    formatNumbers(rows, ({ firstAt }) => firstAt),
    formatNumbers(rows, ({ lastAt }) => lastAt),
  ];
}

function toAudienceColumns(rows: readonly AudienceRow[]): string[] {
  return [
    formatNumbers(rows, ({ operationNo }) => operationNo),
    formatNumbers(rows, ({ keyNo }) => keyNo),
    formatNumbers(rows, ({ firstAt }) => firstAt),
    formatNumbers(rows, ({ lastAt }) => lastAt),
    formatNumbers(rows, ({ requests }) => requests),
  ];
}

/** @param rows rows of the same day */
async function addDay(client: Client, rows: readonly DayRow[]): Promise<void> {
  const at = rows[0]?.at ?? 0;
  const column = findDayColumn(at);
  await client.query(
    `INSERT INTO usage_months AS months (month, key_no, ${column})
     SELECT $1::BIGINT, * FROM unnest($2::BIGINT[], $3::BIGINT[])
     ON CONFLICT (month, key_no) DO UPDATE SET ${column} = months.${column} + EXCLUDED.${column}`,
    [startOfMonth(at), formatNumbers(rows, ({ keyNo }) => keyNo), formatNumbers(rows, ({ requests }) => requests)],
  );
}

function createAddStatement(table: string): string {
  return `
    INSERT INTO ${table} AS counts
      (key_no, at, operation_no, outcome_no, requests, refused, errors, client_errors, units, refused_units, durations)
    SELECT key_no, at, operation_no, outcome_no, requests, refused, errors, client_errors, units, refused_units,
      durations::BIGINT[]
    FROM unnest($1::BIGINT[], $2::BIGINT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[],
      $8::BIGINT[], $9::BIGINT[], $10::BIGINT[], $11::TEXT[])
      AS added (key_no, at, operation_no, outcome_no, requests, refused, errors, client_errors, units, refused_units, durations)
    ON CONFLICT (key_no, at, operation_no, outcome_no) DO UPDATE SET
      requests = counts.requests + EXCLUDED.requests, refused = counts.refused + EXCLUDED.refused,
      errors = counts.errors + EXCLUDED.errors, client_errors = counts.client_errors + EXCLUDED.client_errors,
      units = counts.units + EXCLUDED.units, refused_units = counts.refused_units + EXCLUDED.refused_units, durations = ${MERGED_DURATIONS}`;
}

const MAX_CACHED = 200_000;

/** The numbers of names, stored in `history_names` and cached in memory. */
export class PostgresNames {
  readonly #statements: Statements;
  readonly #cache = new Map<string, number>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /**
   * Finds the numbers of names, and adds new names. This does not run in the caller's transaction, so a cached number
   * is never rolled back.
   */
  async findNumbers(names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const numbers = new Map<string, number>();
    const missing: string[] = [];
    for (const name of names) {
      const no = this.#cache.get(name);
      if (no === undefined) missing.push(name);
      else numbers.set(name, no);
    }
    if (missing.length > 0) await this.#loadMissing(missing, numbers);
    return numbers;
  }

  /**
   * Clears the cache. Call this after the database was unavailable, because a standby that took over may lack the
   * newest names.
   */
  forget(): void {
    this.#cache.clear();
  }

  async #loadMissing(missing: readonly string[], numbers: Map<string, number>): Promise<void> {
    // Sort the names, so that gateways that add the same names never deadlock.
    const names = JSON.stringify(missing.toSorted());
    await this.#statements.run(
      `INSERT INTO history_names (name) SELECT name FROM json_array_elements_text($1::json) AS name
       ON CONFLICT DO NOTHING`,
      [names],
    );
    const rows = await this.#statements.rows(
      'SELECT no, name FROM history_names WHERE name IN (SELECT json_array_elements_text($1::json))',
      [names],
    );
    for (const row of rows) {
      const [name, no] = [String(row['name']), Number(row['no'])];
      numbers.set(name, no);
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(name, no);
    }
  }
}

/** Formats a column of numbers as a parameter of type BIGINT[]. */
function formatNumbers<Row>(rows: readonly Row[], getValue: (row: Row) => number): string {
  return `{${rows.map(getValue).join(',')}}`;
}

/**
 * Formats durations as a parameter of type TEXT[]. Each element is the text of a BIGINT[]. An array of arrays is not
 * possible, because PostgreSQL requires all inner arrays to have the same length.
 */
function formatDurations(rows: readonly { readonly durations: Durations }[]): string {
  return `{${rows.map(({ durations }) => `"{${durations.join(',')}}"`).join(',')}}`;
}
