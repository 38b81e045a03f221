import { usageTables } from '../../database/history-tables.ts';
import type { FoundRefusal } from '../reports.ts';
import { DAY_MS, MINUTE_MS, startOf } from '../tables/times.ts';
import { type Reader, type Row, sum, Values } from './reader.ts';

/** Callers choose request ids, so many refusals may have the same: the newest are told. */
const MAX_FOUND = 10;
/** What the client did after a refusal is told for this long at least, whenever its reason had passed. */
const MIN_AFTER_MS = 10 * MINUTE_MS;
/** A ban may last longer; what the client did on its first day says enough. */
const MAX_AFTER_MS = DAY_MS;

export async function readRefusals(reader: Reader, requestId: string, quotaId?: string): Promise<FoundRefusal[]> {
  const values = new Values();
  const conditions = [`r.request_id = ${values.add(requestId)}`];
  if (quotaId !== undefined) conditions.push(`r.quota_id = ${values.add(quotaId)}`);
  const rows = await reader.rows(
    `SELECT r.request_id, r.quota_id, r.at, r.key_no, n.name, r.facts FROM refusals r
     JOIN history_names n ON n.no = r.key_no WHERE ${conditions.join(' AND ')} ORDER BY r.at DESC LIMIT ${MAX_FOUND}`,
    values.list,
  );
  const found: FoundRefusal[] = [];
  for (const row of rows) found.push(await withContext(reader, row));
  return found;
}

async function withContext(reader: Reader, row: Row): Promise<FoundRefusal> {
  const at = Number(row['at']);
  const facts = factsOf(row);
  const to = Math.min(Math.max(at + MIN_AFTER_MS, freeAt(facts)), at + MAX_AFTER_MS);
  return {
    requestId: String(row['request_id']),
    quotaId: String(row['quota_id']),
    keyId: String(row['name']),
    at,
    facts,
    minutes: await minutesOf(reader, Number(row['key_no']), at, to),
  };
}

/** When its reason has passed, in ms since the Unix epoch; 0 if it does not pass by waiting. */
function freeAt({ admission }: FoundRefusal['facts']): number {
  const at = (admission as { readonly freeAt?: unknown } | null | undefined)?.freeAt;
  return typeof at === 'number' ? at : 0;
}

/** Minutes are stored by time first, so the key is looked up in each. */
async function minutesOf(reader: Reader, keyNo: number, from: number, to: number): Promise<FoundRefusal['minutes']> {
  const values = new Values();
  const rows = await reader.rows(
    `WITH RECURSIVE minutes (minute) AS (
       SELECT CAST(${values.add(startOf('minute', from))} AS BIGINT)
       UNION ALL SELECT minute + ${MINUTE_MS} FROM minutes WHERE minute + ${MINUTE_MS} <= ${values.add(to)})
     SELECT u.at, ${sum('u.requests')} AS requests, ${sum('u.refused')} AS refused
     FROM minutes CROSS JOIN ${usageTables.minute} u WHERE u.at = minutes.minute AND u.key_no = ${values.add(keyNo)}
     GROUP BY u.at ORDER BY u.at`,
    values.list,
  );
  return rows.map((row) => ({
    at: Number(row['at']),
    requests: Number(row['requests']),
    refused: Number(row['refused']),
  }));
}

function factsOf(row: Row): FoundRefusal['facts'] {
  return JSON.parse(String(row['facts'])) as FoundRefusal['facts'];
}
