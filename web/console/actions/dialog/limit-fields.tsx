import { TextField } from '../../../shared/ui/controls/field.tsx';
import styles from './limit-fields.module.css';
import { readLimits } from '../../api/limits.ts';

/** Requests a minute and a day, side by side. */
export function LimitFields({
  minute,
  day,
  onMinute,
  onDay,
}: {
  readonly minute: string;
  readonly day: string;
  readonly onMinute: (text: string) => void;
  readonly onDay: (text: string) => void;
}) {
  const wrong = minute !== '' && day !== '' && readLimits(minute, day) === null;
  return (
    <div className={styles.pair}>
      <TextField
        label="Requests a minute"
        inputMode="numeric"
        required
        value={minute}
        error={wrong ? 'Whole numbers from 1. The minute cannot exceed the day.' : undefined}
        onChange={onMinute}
      />
      <TextField label="Requests a day (UTC)" inputMode="numeric" required value={day} onChange={onDay} />
    </div>
  );
}
