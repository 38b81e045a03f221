import { formatExactTime, formatUtcTime } from '../../format/time.ts';
import styles from './request-timeline.module.css';

interface Step {
  readonly at: string;
  readonly event: string;
  readonly text: string;
}

interface Props {
  readonly steps: readonly Step[];
  readonly refusedAt: string;
}

/** Lists the events before and after a refusal. Times are in UTC, as in the explanation beside it. */
export function RequestTimeline({ steps, refusedAt }: Props) {
  if (steps.length < 2) return null;
  const bansEnd = new Set(steps.filter(({ event }) => event === 'ban_ends').map(({ at }) => at));
  // Leave out a step that says the key is free again at the end of a ban, because the end of the ban says the same.
  const told = steps.filter(({ event, at }) => event !== 'free' || !bansEnd.has(at));
  return (
    <section aria-label="Timeline">
      <h3 className={styles.title}>Timeline (UTC)</h3>
      <ol className={styles.steps}>
        {told.map(({ at, event, text }) => (
          <li key={`${event} ${at} ${text}`} data-event={event}>
            <time dateTime={at} title={formatExactTime(Date.parse(at))}>
              {formatUtcTime(at, refusedAt)}
            </time>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
