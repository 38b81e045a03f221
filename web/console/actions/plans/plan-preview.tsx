import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { formatUtcDay } from '../../../shared/format/time.ts';
import { Loading, Note } from '../../../shared/ui/page/states.tsx';
import { Moment } from '../../../shared/ui/data/time.tsx';
import type { Limits } from '../../api/limits.ts';
import { type Plan, type Preview, previewQuery } from '../../api/plans.ts';
import { KeyLink } from '../../parts/keys/key-link.tsx';
import { useSettled } from '../../../shared/behavior/use-settled.ts';
import styles from './plan-preview.module.css';

const TYPING_PAUSE_MS = 400;
const SHOWN_KEYS = 5;
const NONE: Limits = { minute: 0, day: 0 };

interface Props {
  readonly plan: Plan;
  readonly limits: Limits;
  /** The ids of keys that would move to the plan. If set, these are examined instead of the plan's own keys. */
  readonly moved?: readonly string[] | undefined;
}

/** Lists the keys of the plan that would have exceeded the new limits, according to the history. */
export function PlanPreview({ plan, limits, moved }: Props) {
  const text = useSettled(JSON.stringify(limits), TYPING_PAUSE_MS);
  const preview = useQuery(previewQuery(plan.id, JSON.parse(text) as Limits, moved));
  if (preview.isPending) return <Loading rows={1} label="Checking past usage" />;
  if (preview.data === undefined) {
    return (
      <Note tone="refused" icon={TriangleAlert}>
        Cannot tell what this would have refused: {preview.error.message}
      </Note>
    );
  }
  const { keysExamined, keysAbove, keysUsedUp, keys } = preview.data;
  const shown = keys.slice(0, SHOWN_KEYS);
  const others = keysAbove - shown.reduce((sum, { sharing }) => sum + sharing, 0);
  const left = (moved?.length ?? 0) - keysExamined;
  const isFine = keysAbove === 0 && keysUsedUp === 0;
  return (
    <Note tone={isFine ? 'served' : 'refused'} icon={isFine ? CircleCheck : TriangleAlert}>
      {keysUsedUp > 0 && (
        <p>
          <strong>
            {`${describeShare(keysUsedUp, keysExamined)} already used ${limits.day === 1 ? 'the request' : `the ${formatCount(limits.day)} requests`} of today:`}
          </strong>{' '}
          calls will get <code>429</code> until midnight (UTC).
        </p>
      )}
      {keysAbove === 0 ? (
        <>
          {keysExamined === 1 ? 'The key' : `None of the ${pluralize(keysExamined, 'key')}`}{' '}
          {moved === undefined ? 'on this plan ' : ''}has {keysExamined === 1 && 'not '}exceeded these limits in the
          stored history: <Examined preview={preview.data} />.
        </>
      ) : (
        <>
          <strong>
            {formatCount(keysAbove)} of {pluralize(keysExamined, 'key')} exceeded these limits
          </strong>{' '}
          in the stored history (
          <Examined preview={preview.data} />) and would have been refused
          {moved === undefined && <Before plan={plan} />}:
          <ul className={styles.keys}>
            {shown.map((one) => (
              <li key={one.key}>
                <KeyLink id={one.key} name={one.name} newTab />
                {one.sharing > 1 && ` and ${pluralize(one.sharing - 1, 'other key')} of its quota`} of{' '}
                <bdi>{one.owner}</bdi>: {wordsFor(one)}
              </li>
            ))}
          </ul>
          {others > 0 && `and ${pluralize(others, 'other')}`}
        </>
      )}
      {moved !== undefined && left > 0 && (
        <p>{`${formatCount(left)} of ${formatCount(moved.length)} selected ${left === 1 ? 'is' : 'are'} revoked and not counted.`}</p>
      )}
    </Note>
  );
}

function describeShare(some: number, all: number): string {
  return all === 1 ? 'The key has' : `${formatCount(some)} of ${pluralize(all, 'key')} ${some === 1 ? 'has' : 'have'}`;
}

/** Shows how many keys exceeded the current limits, because their requests were refused already. */
function Before({ plan: { id, limits, mode } }: { readonly plan: Plan }) {
  const isRefusing = limits !== null && mode === 'enforce';
  const now = useQuery({ ...previewQuery(id, limits ?? NONE), enabled: isRefusing }).data;
  return now === undefined
    ? null
    : ` (with the current limits: ${now.keysAbove === 0 ? 'none' : pluralize(now.keysAbove, 'key')})`;
}

/** Says which period was examined for each window, because minutes are stored for a shorter time than days. */
function Examined({ preview: { minutesFrom, daysFrom, monthsFrom } }: { readonly preview: Preview }) {
  return (
    <>
      per minute since <Moment at={minutesFrom} />, per day since {formatUtcDay(daysFrom)}
      {monthsFrom !== null && `, per month since ${formatUtcDay(monthsFrom)}`}
    </>
  );
}

function wordsFor({ minutes, days, months }: Preview['keys'][number]): string {
  const parts = [
    ...(months.count > 0 ? [`in ${pluralize(months.count, 'month')}, up to ${formatCount(months.peak)}`] : []),
    ...(days.count > 0 ? [`on ${pluralize(days.count, 'day')}, up to ${formatCount(days.peak)}`] : []),
    ...(minutes.count > 0 ? [`in ${pluralize(minutes.count, 'minute')}, up to ${formatCount(minutes.peak)}`] : []),
  ];
  return parts.join('; ');
}
