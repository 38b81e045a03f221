import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { count, plural } from '../../../shared/format/number.ts';
import { utcDay } from '../../../shared/format/time.ts';
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
  /** The ids of keys that would move to the plan, in place of its own keys. */
  readonly moved?: readonly string[] | undefined;
}

/** The keys of the plan that exceeded the new limits, according to the history. */
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
  const { keysExamined, keysAbove, keys } = preview.data;
  if (keysAbove === 0) {
    return (
      <Note tone="served" icon={CircleCheck}>
        None of the {plural(keysExamined, 'key')} {moved === undefined ? 'on this plan ' : ''}has exceeded these limits
        in the stored history: <Examined preview={preview.data} />.
      </Note>
    );
  }
  return (
    <Note tone="refused" icon={TriangleAlert}>
      <strong>
        {count(keysAbove)} of {plural(keysExamined, 'key')} exceeded these limits
      </strong>{' '}
      in the stored history (
      <Examined preview={preview.data} />) and would have been refused
      {moved === undefined && <Before plan={plan} />}:
      <ul className={styles.keys}>
        {keys.slice(0, SHOWN_KEYS).map((one) => (
          <li key={one.key}>
            <KeyLink id={one.key} name={one.name} newTab /> of <bdi>{one.owner}</bdi>: {wordsFor(one)}
          </li>
        ))}
      </ul>
      {keysAbove > SHOWN_KEYS && `and ${plural(keysAbove - SHOWN_KEYS, 'other')}`}
    </Note>
  );
}

/** How many exceeded the limits of now: these are refused anyway. */
function Before({ plan: { id, limits, mode } }: { readonly plan: Plan }) {
  const isRefusing = limits !== null && mode === 'enforce';
  const now = useQuery({ ...previewQuery(id, limits ?? NONE), enabled: isRefusing }).data;
  return now === undefined
    ? null
    : ` (with the limits of now: ${now.keysAbove === 0 ? 'none' : plural(now.keysAbove, 'key')})`;
}

/** Each window by itself: minutes are stored for a shorter time than days. */
function Examined({ preview: { minutesFrom, daysFrom, monthsFrom } }: { readonly preview: Preview }) {
  return (
    <>
      minutes since <Moment at={minutesFrom} />, days since {utcDay(daysFrom)}
      {monthsFrom !== null && `, months since ${utcDay(monthsFrom)}`}
    </>
  );
}

function wordsFor({ minutes, days, months }: Preview['keys'][number]): string {
  const parts = [
    ...(months.count > 0 ? [`in ${plural(months.count, 'month')}, up to ${count(months.peak)}`] : []),
    ...(days.count > 0 ? [`on ${plural(days.count, 'day')}, up to ${count(days.peak)}`] : []),
    ...(minutes.count > 0 ? [`in ${plural(minutes.count, 'minute')}, up to ${count(minutes.peak)}`] : []),
  ];
  return parts.join('; ');
}
