import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { count, plural } from '../../../shared/format/number.ts';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { utcDay } from '../../../shared/format/time.ts';
import { shortId } from '../../../shared/format/id.ts';
import { Loading, Note } from '../../../shared/ui/page/states.tsx';
import { Moment } from '../../../shared/ui/data/time.tsx';
import type { Limits } from '../../api/limits.ts';
import { keyQuery } from '../../api/keys.ts';
import { type Preview, previewQuery } from '../../api/plans.ts';
import { useSettled } from '../../../shared/behavior/use-settled.ts';
import styles from './plan-preview.module.css';

const TYPING_PAUSE_MS = 400;
const SHOWN_KEYS = 5;

/** The keys of the plan that exceeded the new limits, according to the history. */
export function PlanPreview({ id, limits }: { readonly id: string; readonly limits: Limits }) {
  const text = useSettled(JSON.stringify(limits), TYPING_PAUSE_MS);
  const preview = useQuery(previewQuery(id, JSON.parse(text) as Limits));
  if (preview.isPending) return <Loading rows={1} label="Checking past usage" />;
  if (preview.data === undefined) {
    return (
      <Note tone="refused" icon={TriangleAlert}>
        Cannot tell what this would have refused: {preview.error.message}
      </Note>
    );
  }
  const { keysAbove, keys } = preview.data;
  if (keysAbove === 0) {
    return (
      <Note tone="served" icon={CircleCheck}>
        No key on this plan has exceeded these limits in the stored history: <Examined preview={preview.data} />.
      </Note>
    );
  }
  return (
    <Note tone="refused" icon={TriangleAlert}>
      <strong>{plural(keysAbove, 'key')} exceeded these limits</strong> in the stored history (
      <Examined preview={preview.data} />) and would have been refused:
      <ul className={styles.keys}>
        {keys.slice(0, SHOWN_KEYS).map((one) => (
          <li key={one.key}>
            <bdi>{one.owner}</bdi> <KeyOfPreview id={one.key} />: {wordsFor(one)}
          </li>
        ))}
      </ul>
      {keysAbove > SHOWN_KEYS && `and ${plural(keysAbove - SHOWN_KEYS, 'other')}`}
    </Note>
  );
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

/** By its name, which does not lead out of the dialog; by its id until that is known. */
function KeyOfPreview({ id }: { readonly id: string }) {
  const name = useQuery({ ...keyQuery(id), staleTime: MINUTE_MS }).data?.name;
  if (name === undefined) return <code title={id}>{shortId(id)}</code>;
  return <bdi title={id}>“{name}”</bdi>;
}

function wordsFor({ minutes, days, months }: Preview['keys'][number]): string {
  const parts = [
    ...(months.count > 0 ? [`in ${plural(months.count, 'month')}, up to ${count(months.peak)}`] : []),
    ...(days.count > 0 ? [`on ${plural(days.count, 'day')}, up to ${count(days.peak)}`] : []),
    ...(minutes.count > 0 ? [`in ${plural(minutes.count, 'minute')}, up to ${count(minutes.peak)}`] : []),
  ];
  return parts.join('; ');
}
