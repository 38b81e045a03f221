import { usageTables } from '../../../storage/history-tables.ts';
import { type RefusalFacts, explanationWindowEnd } from '../explanations/refusal-facts.ts';
import type { FoundRefusal, RecentRefusalsQuery, RefusalRecord } from '../store/history-store.ts';
import { minutesBetween, numbersOf, type Reader, type Row, sum, Values } from './reader.ts';

/** Callers choose request ids, so many refusals may have the same one: the newest are returned. */
const MAX_FOUND = 10;
/** Later refusals returned with a refusal: their strikes show how close the key came to a ban. */
const MAX_LATER = 50;

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

/** Newest first. */
export async function readRecentRefusals(
  reader: Reader,
  { keyIds, from, limit }: RecentRefusalsQuery,
): Promise<RefusalRecord[]> {
  const numbers = await numbersOf(reader, keyIds);
  if (numbers.size === 0) return [];
  const values = new Values();
  const rows = await reader.rows(
    `SELECT r.request_id, r.quota_id, r.at, n.name, r.facts FROM refusals r JOIN history_names n ON n.no = r.key_no
     WHERE r.key_no IN (${values.addAll([...numbers.values()])}) AND r.at >= ${values.add(from)}
     ORDER BY r.at DESC, r.request_id LIMIT ${values.add(limit)}`,
    values.list,
  );
  return rows.map(recordOf);
}

function recordOf(row: Row): RefusalRecord {
  return {
    requestId: String(row['request_id']),
    quotaId: String(row['quota_id']),
    keyId: String(row['name']),
    at: Number(row['at']),
    facts: factsOf(row),
  };
}

async function withContext(reader: Reader, row: Row): Promise<FoundRefusal> {
  const record = recordOf(row);
  const { at, facts, quotaId } = record;
  const period = { keyNo: Number(row['key_no']), at, to: explanationWindowEnd(at, facts as unknown as RefusalFacts) };
  return {
    ...record,
    minutes: await minutesFrom(reader, period),
    later: await laterRefusals(reader, quotaId, period),
  };
}

interface Period {
  readonly keyNo: number;
  readonly at: number;
  readonly to: number;
}

async function minutesFrom(reader: Reader, { keyNo, at, to }: Period): Promise<FoundRefusal['minutes']> {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT u.at, ${sum('u.requests')} AS requests, ${sum('u.refused')} AS refused
     FROM ${minutesBetween(at, to + 1, values)} CROSS JOIN ${usageTables.minute} u
     WHERE u.at = minutes.start AND u.key_no = ${values.add(keyNo)} GROUP BY u.at ORDER BY u.at`,
    values.list,
  );
  return rows.map((row) => ({
    at: Number(row['at']),
    requests: Number(row['requests']),
    refused: Number(row['refused']),
  }));
}

async function laterRefusals(reader: Reader, quotaId: string, { keyNo, at, to }: Period) {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT r.at, r.facts FROM refusals r WHERE r.key_no = ${values.add(keyNo)} AND r.at > ${values.add(at)}
       AND r.at <= ${values.add(to)} AND r.quota_id = ${values.add(quotaId)}
     ORDER BY r.at DESC LIMIT ${MAX_LATER}`,
    values.list,
  );
  return rows.map((row) => ({ at: Number(row['at']), facts: factsOf(row) })).toReversed();
}

function factsOf(row: Row): FoundRefusal['facts'] {
  return JSON.parse(String(row['facts'])) as FoundRefusal['facts'];
}
