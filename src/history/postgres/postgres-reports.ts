import type { PostgresPoolClient } from 'kysely';
import type { Durations } from '../buckets.ts';
import type { CountSource, Reader, Row, Value } from '../reading/reader.ts';
import { REPORT_TIMEOUT_MS, ReportQueue, tookTooLong } from '../reading/report-queue.ts';
import { MERGED_BUCKETS } from './merged-buckets.ts';
import type { PostgresConnections } from './postgres-connections.ts';

/** Connections of reports: pruning uses others. */
const CONCURRENCY = 2;

/** Reports sort and hash a row for each key; compiling their queries takes longer than running them. */
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = ${REPORT_TIMEOUT_MS};
  SET LOCAL work_mem = '32MB';
  SET LOCAL jit = off`;
