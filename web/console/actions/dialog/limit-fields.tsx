import { TextField } from '../../../shared/ui/controls/field.tsx';
import { type LimitTexts, readLimits } from '../../api/limits.ts';
import styles from './limit-fields.module.css';

/** Requests per minute, per day and, if wanted, per month. */
export function LimitFields({
  limits,
  planName,
  onChange,
}: {
  readonly limits: LimitTexts;
  /** For the limits of a key: the plan that leaves them to it. */
  readonly planName?: string;
  readonly onChange: (limits: LimitTexts) => void;
}) {
  const { minute, day, month } = limits;
  const wrong = minute !== '' && day !== '' && readLimits(limits) === null;
  return (
    <fieldset className={styles.row}>
      {planName !== undefined && (
        <>
          <legend>Custom limits</legend>
          <p>
            <bdi>{planName}</bdi> has no limits of its own: each key has the ones agreed with its owner.
          </p>
        </>
      )}
      <TextField
        label="Requests per minute"
        inputMode="numeric"
        required
        value={minute}
        error={wrong ? 'Whole numbers, at least 1. A longer period must not have a lower limit.' : undefined}
        onChange={(text) => onChange({ ...limits, minute: text })}
      />
      <TextField
        label="Per day (UTC)"
        inputMode="numeric"
        required
        value={day}
        onChange={(text) => onChange({ ...limits, day: text })}
      />
      <TextField
        label="Per month (UTC)"
        inputMode="numeric"
        optional
        value={month}
        onChange={(text) => onChange({ ...limits, month: text })}
      />
    </fieldset>
  );
}
