import type { KeyAnswer, NewKeyAnswer } from '../admin/answers.ts';
import type { Io } from '../io.ts';
import { fields, table } from './table.ts';
import { day, limitsInWords, time } from './format.ts';

const COLUMNS = [
  { title: 'ID', whole: true },
  { title: 'OWNER' },
  { title: 'NAME' },
  { title: 'PLAN' },
  { title: 'STATUS', whole: true },
  { title: 'EXPIRES', whole: true },
  { title: 'LAST USED', whole: true },
];

export function keyTable(io: Io, keys: readonly KeyAnswer[]): string {
  return table(
    COLUMNS,
    keys.map((key) => [
      key.id,
      key.owner,
      key.name,
      key.plan,
      statusOf(key, io.now()),
      day(key.expiresAt),
      day(key.lastUsedAt),
    ]),
    io.columns,
  );
}

export function keyFields(io: Io, key: KeyAnswer): string {
  const utc = (text: string | null) => (text === null ? 'never' : `${time(text)} UTC`);
  const metadata = Object.entries(key.metadata).map(([name, value]) => [name, value] as const);
  return fields([
    ['id', key.id],
    ['name', key.name],
    ['owner', key.owner],
    ['plan', key.plan],
    ['limits', key.limits === null ? 'those of the plan' : limitsInWords(key.limits)],
    ['status', statusOf(key, io.now())],
    ['secret', `${key.prefix}…${key.lastFour}`],
    ['created', utc(key.createdAt)],
    ['expires', utc(key.expiresAt)],
    ['last used', utc(key.lastUsedAt)],
    ['counts as', key.quotaId],
    ['replaced by', key.rotatedTo ?? 'none'],
    ...metadata,
  ]);
}

/** An expired key is refused, although its stored status is still active. */
export function statusOf({ status, expiresAt }: KeyAnswer, now: number): string {
  return status === 'active' && expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : status;
}

/** Shows the secret, which happens only this once. */
export function tellSecret(io: Io, { key }: NewKeyAnswer): void {
  io.out(`Its secret is shown this once, and kept nowhere:\n\n  ${key}\n\n`);
}
