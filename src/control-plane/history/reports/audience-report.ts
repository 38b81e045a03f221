import { ALL_NAMES, usageTables } from '../../../storage/history-tables.ts';
import { type Audience, type AudienceQuery, MAX_TOP_CALLERS, type OperationAudience } from '../store/history-store.ts';
import { loadNumbers, type Reader, type Row, sumSql, Values } from './reader.ts';

/** Counts the callers of operations since a time, together and by operation. */
export async function readAudience(reader: Reader, { operations, from }: AudienceQuery): Promise<Audience> {
  const numbers = await loadNumbers(reader, operations);
  if (numbers.size === 0) return { keys: 0, owners: 0, operations: new Map() };
  const query = { numbers: [...numbers.values()], from };
  const total = (await readCallers(reader, query, 'count(DISTINCT a.key_no)', '')).get(undefined);
  const callers = await readCallers(reader, query, 'count(*)', 'a.operation_no');
  const requests = await readRequests(reader, query);
  const top = await readTop(reader, query);
  const found = [...numbers].flatMap(([operation, no]): [string, OperationAudience][] => {
    const row = callers.get(no);
    const count = requests.get(no) ?? 0;
    if (row === undefined && count === 0) return [];
    const lastAt = row === undefined ? null : Number(row['last_at']);
    const figures = { keys: Number(row?.['keys'] ?? 0), owners: Number(row?.['owners'] ?? 0), requests: count, lastAt };
    return [[operation, { ...figures, top: top.filter((each) => each.no === no).map((each) => each.caller) }]];
  });
  return {
    keys: Number(total?.['keys'] ?? 0),
    owners: Number(total?.['owners'] ?? 0),
    operations: new Map(found),
  };
}

interface NumberedQuery {
  readonly numbers: readonly number[];
  readonly from: number;
}

/** @param group the column by which callers are counted; empty to count all of them together, under `undefined` */
async function readCallers(reader: Reader, { numbers, from }: NumberedQuery, keys: string, group: string) {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT ${group === '' ? '' : `${group} AS no,`} ${keys} AS keys, count(DISTINCT k.owner) AS owners,
       max(a.last_at) AS last_at
     FROM audience a JOIN history_names n ON n.no = a.key_no LEFT JOIN keys k ON k.id = n.name
     WHERE a.operation_no IN (${values.addAll(numbers)}) AND a.last_at >= ${values.add(from)}
       AND ${reader.inTimeCondition}
     ${group === '' ? '' : `GROUP BY ${group}`}`,
    values.list,
  );
  return new Map<number | undefined, Row>(
    rows.map((row) => [row['no'] === undefined ? undefined : Number(row['no']), row]),
  );
}

async function readRequests(reader: Reader, { numbers, from }: NumberedQuery): Promise<Map<number, number>> {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT operation_no AS no, ${sumSql('requests')} AS requests FROM ${usageTables.hour}
     WHERE key_no = ${ALL_NAMES} AND operation_no IN (${values.addAll(numbers)}) AND at >= ${values.add(from)}
       AND ${reader.inTimeCondition}
     GROUP BY operation_no`,
    values.list,
  );
  return new Map(rows.map(({ no, requests }) => [Number(no), Number(requests)]));
}

async function readTop(reader: Reader, { numbers, from }: NumberedQuery) {
  const values = new Values();
  const rows = await reader.rows(
    `SELECT a.operation_no AS no, n.name, k.owner, a.last_at FROM (
       SELECT operation_no, key_no, last_at,
         row_number() OVER (PARTITION BY operation_no ORDER BY last_at DESC, key_no DESC) AS place
       FROM audience WHERE operation_no IN (${values.addAll(numbers)}) AND last_at >= ${values.add(from)}
         AND ${reader.inTimeCondition}
     ) a JOIN history_names n ON n.no = a.key_no LEFT JOIN keys k ON k.id = n.name
     WHERE a.place <= ${values.add(MAX_TOP_CALLERS)} ORDER BY a.operation_no, a.place`,
    values.list,
  );
  return rows.map(({ no, name, owner, last_at: lastAt }) => {
    return {
      no: Number(no),
      caller: { key: String(name), owner: owner as string | null, lastAt: Number(lastAt) },
    };
  });
}
