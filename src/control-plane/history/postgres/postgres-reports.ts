import type { PostgresPoolClient } from 'kysely';
import { ReportTimeout } from '../../../base/error-types.ts';
import type { Counts, CountSource, Reader, Row, Value, VisitCount } from '../reports/reader.ts';
import type { Group } from '../store/history-store.ts';
import { REPORT_TIMEOUT_MS, ReportQueue } from '../reports/reported-history.ts';
import { PostgresUnavailable } from '../../../storage/postgres-errors.ts';
import type { PostgresConnections } from './postgres-connections.ts';

const CONCURRENCY = 2;

/**
 * The statements that begin the transaction of a report. Reports get more memory, because they sort and hash a
 * row for each key. JIT is off, because compiling the statements takes longer than running them.
 */
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL work_mem = '32MB';
  SET LOCAL jit = off;
  SET LOCAL max_parallel_workers_per_gather = 0`;

/** Runs a limited number of reports at a time. */
export class PostgresReports {
  readonly #connections: PostgresConnections;
  readonly #timeoutMs: number;
  readonly #queue = new ReportQueue(CONCURRENCY);

  constructor(connections: PostgresConnections, timeoutMs = REPORT_TIMEOUT_MS) {
    this.#connections = connections;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws StoreUnavailable (as a rejection) if the report takes too long, or too many reports are waiting */
  run<T>(report: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#queue.run(() => {
      const deadline = performance.now() + this.#timeoutMs;
      const work = (client: PostgresPoolClient) => report(new PostgresReader(client, deadline));
      return this.#connections.runTransaction(work, BEGIN);
    });
  }
}

/** A row with all points of a group. Their figures and their durations are JSON arrays without the outer brackets. */
interface GroupRow {
  readonly group: Group;
  readonly figures: string;
  readonly durations: string;
}

interface SummedRow extends Counts {
  readonly group: Group;
  readonly at: number;
}

class PostgresReader implements Reader {
  readonly inTimeCondition = 'true';
  readonly #client: PostgresPoolClient;
  readonly #deadline: number;

  /** @param deadline by the monotonic clock, in ms */
  constructor(client: PostgresPoolClient, deadline: number) {
    this.#client = client;
    this.#deadline = deadline;
  }

  selectText(column: string, field: string): string {
    return `(${column}::JSON ->> '${field}')`;
  }

  async rows(text: string, values: readonly Value[]): Promise<readonly Row[]> {
    // PostgreSQL limits each statement. The rest of the report's time limits the whole report.
    const remainingMs = Math.floor(this.#deadline - performance.now());
    if (remainingMs <= 0) throw new ReportTimeout();
    await this.#client.query(`SET LOCAL statement_timeout = ${remainingMs}`, []);
    try {
      return (await this.#client.query<Row>(text, values)).rows;
    } catch (error) {
      throw error instanceof PostgresUnavailable && error.kind === 'timeout' ? new ReportTimeout() : error;
    }
  }

  async forEachRow(text: string, values: readonly Value[], visit: (row: Row) => void): Promise<void> {
    for (const row of await this.rows(text, values)) visit(row);
  }

  async forEachCount(source: CountSource, values: readonly Value[], visit: VisitCount): Promise<void> {
    if (source.isSummed) {
      const rows = (await this.rows(createCountsQuery(source), values)) as unknown as readonly GroupRow[];
      for (const row of rows) visitGroup(row, visit);
    } else {
      const rows = (await this.rows(createSumsQuery(source), values)) as unknown as readonly SummedRow[];
      for (const row of rows) visit(row.group, row.at, row);
    }
  }
}

/**
 * Selects one row for each group, so that all numbers of a group are parsed together. This is faster than thousands of
 * rows, one for each point.
 */
function createCountsQuery({ group, from, where }: CountSource): string {
  return `
    SELECT ${group} AS "group",
      string_agg(concat_ws(',', u.at, u.requests, u.units, u.refused, u.errors, u.client_errors), ',') AS figures,
      string_agg(array_to_string(u.durations, ','), '],[') AS durations
    FROM ${from} WHERE ${where} GROUP BY 1`;
}

function visitGroup({ group, figures, durations }: GroupRow, visit: VisitCount): void {
  const numbers = JSON.parse(`[${figures}]`) as number[];
  let next = 0;
  for (const pointDurations of JSON.parse(`[[${durations}]]`) as number[][]) {
    const [at, requests, units] = [numbers[next++] ?? 0, numbers[next++] ?? 0, numbers[next++] ?? 0];
    const [refused, errors, clientErrors] = [numbers[next++] ?? 0, numbers[next++] ?? 0, numbers[next++] ?? 0];
    visit(group, at, { requests, units, refused, errors, clientErrors, durations: pointDurations });
  }
}

/** Lets PostgreSQL add up counts and durations, because there may be a million rows for each point. */
function createSumsQuery({ group, from, where }: CountSource): string {
  return `
    WITH counted AS (
      SELECT ${group} AS "group", u.at, u.requests, u.units, u.refused, u.errors, u.client_errors, u.durations
      FROM ${from} WHERE ${where}
    ), buckets AS (
      SELECT "group", at, packed >> 40 AS bucket, sum(packed & ${2 ** 40 - 1})::BIGINT AS count
      FROM counted CROSS JOIN unnest(durations) AS packed GROUP BY 1, 2, 3
    )
    SELECT "group", at, sum(requests)::BIGINT AS requests, sum(units)::BIGINT AS units,
      sum(refused)::BIGINT AS refused, sum(errors)::BIGINT AS errors,
      sum(client_errors)::BIGINT AS "clientErrors", '[]'::JSON AS durations
    FROM counted GROUP BY 1, 2
    UNION ALL
    SELECT "group", at, 0, 0, 0, 0, 0, json_agg((bucket << 40) + count ORDER BY bucket) FROM buckets GROUP BY 1, 2`;
}
