import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { formatUtcDay } from '../../../shared/format/time.ts';
import type { Key } from '../../api/keys.ts';

const NAMED = 5;

interface Props {
  readonly keys: number;
  /** Text after the number of keys, such as " with 2 quotas". */
  readonly more?: string;
  /** How many of the keys were used today. Omitted if it is not shown. */
  readonly usedToday?: number | undefined;
  readonly named: readonly Key[];
}

/** Shows the number of keys, how many of them were used today, and the names of a few. */
export function KeyCount({ keys, more = '', usedToday, named }: Props) {
  const used = usedToday === undefined || keys === 0 ? '' : `, ${formatUsedToday(keys, usedToday)}`;
  return (
    <>
      <strong>{`${pluralize(keys, 'key')}${more}${used}.`}</strong>
      {keys > 0 && (
        <>
          {keys > NAMED ? ' Some of them: ' : keys === 1 ? ' The key: ' : ' The keys: '}
          {named.slice(0, NAMED).map(({ id, name, rotatedTo }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <bdi>{name}</bdi>
              {rotatedTo !== null && ' (old secret)'}
            </span>
          ))}
        </>
      )}
    </>
  );
}

/** For example "2 of them used today (UTC)". */
export function formatUsedToday(keys: number, used: number): string {
  const some = used === 0 ? (keys === 1 ? 'not ' : 'none of them ') : keys === 1 ? '' : `${formatCount(used)} of them `;
  return `${some}used today (UTC)`;
}

export function isUsedToday({ lastUsedAt }: Key): boolean {
  return lastUsedAt !== null && formatUtcDay(lastUsedAt) === formatUtcDay(new Date().toISOString());
}
