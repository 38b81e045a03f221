import { formatCsvLine } from '../../../../src/base/portable/csv-line.ts';
import type { Key } from '../../api/keys.ts';

const HEAD = [
  'id',
  'name',
  'owner',
  'plan',
  'status',
  'minute',
  'day',
  'month',
  'concurrent',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'quotaId',
];

export function keysCsv(keys: readonly Key[]): string {
  return [HEAD, ...keys.map(cells)].map(formatCsvLine).join('');
}

function cells({ id, name, owner, plan, status, limits, concurrent, createdAt, expiresAt, lastUsedAt, quotaId }: Key) {
  return [
    id,
    name,
    owner,
    plan,
    status,
    limits?.minute ?? null,
    limits?.day ?? null,
    limits?.month ?? null,
    concurrent,
    createdAt,
    expiresAt,
    lastUsedAt,
    quotaId,
  ];
}
