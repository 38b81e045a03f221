import { formatMilliseconds } from '../format/number.ts';
import { indentJson } from '../format/pretty-json.ts';
import { ScrollBox } from '../ui/data/scroll-box.tsx';
import { Time } from '../ui/data/time.tsx';
import { AttemptState } from './delivery-state.tsx';
import { type Attempt, hasArrived } from './webhook.ts';
import styles from './webhooks.module.css';

/**
 * Shows one attempt with its response. The response is shown as text, so nothing that an endpoint sends is run or
 * rendered.
 */
export function AttemptView({ attempt, label }: { readonly attempt: Attempt; readonly label: string }) {
  const { at, durationMs, error, answer: response, status } = attempt;
  return (
    <article className={styles.attempt} aria-label={label}>
      <div className={styles.attemptHead}>
        <strong>{label}</strong>
        <AttemptState attempt={attempt} />
        <span>
          <Time at={at} />, took {formatMilliseconds(durationMs)}
        </span>
      </div>
      {error !== null && <p className={styles.error}>{toSentence(error)}</p>}
      {status !== null && !hasArrived(attempt) && (
        <p className={styles.detail}>Only a status from 200 to 299 counts as delivered.</p>
      )}
      {response !== null && response !== '' && (
        <ScrollBox label={`Response to ${label.toLowerCase()}`} className={styles.answer}>
          {indentJson(response)}
        </ScrollBox>
      )}
      {response === '' && <p className={styles.detail}>The response had no body.</p>}
    </article>
  );
}

function toSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
