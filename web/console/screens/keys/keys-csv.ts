import { formatCsvLine } from '../../../../src/base/portable/csv-line.ts';
import type { Key } from '../../api/keys.ts';

const HEAD = [
  'id',
  'name',
  'owner',
  'plan',
  'kind',
  'status',
  'minute',
  'day',
  'month',
  'concurrent',
  'validation',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'quotaId',
  'tokenIssuer',
  'caller',
  'claim',
];

export function formatKeysCsv(keys: readonly Key[]): string {
  return [HEAD, ...keys.map(cells)].map(formatCsvLine).join('');
}

function cells(key: Key) {
  const { id, name, owner, plan, kind, status, limits, concurrent, validation } = key;
  const { createdAt, expiresAt, lastUsedAt, quotaId } = key;
  return [
    id,
    name,
    owner,
    plan,
    kind,
    status,
    limits?.minute ?? null,
    limits?.day ?? null,
    limits?.month ?? null,
    concurrent,
    validation,
    createdAt,
    expiresAt,
    lastUsedAt,
    quotaId,
    key.token?.name ?? null,
    key.token?.caller ?? null,
    key.token?.claim ?? null,
  ];
}
