import type { Calls, CallsQuery } from '../reports.ts';
import { numbersOf } from './names.ts';
import { type Reader, sum, Values } from './reader.ts';
import { ownerConditions } from './selection.ts';

export async function readCalls(reader: Reader, { operations, owner, chainOf }: CallsQuery): Promise<Calls[]> {
  const names = new Map([...(await numbersOf(reader, operations))].map(([name, no]) => [no, name]));
  if (names.size === 0) return [];
  const values = new Values();
  const conditions = [
    `a.operation_no IN (${values.addAll([...names.keys()])})`,
    ...ownerConditions('a.key_no', { owner, chainOf }, values),
  ];
  const rows = await reader.rows(
    `SELECT a.operation_no, min(a.first_at) AS first_at, max(a.last_at) AS last_at, ${sum('a.requests')} AS requests
     FROM audience a WHERE ${conditions.join(' AND ')} GROUP BY a.operation_no`,
    values.list,
  );
  return rows.map((row) => ({
    operation: names.get(Number(row['operation_no'])) ?? '',
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    requests: Number(row['requests']),
  }));
}
