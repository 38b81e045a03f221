import { TextField } from '../../../shared/ui/controls/field.tsx';
import { formatCount } from '../../../shared/format/number.ts';
import { type Limits, type LimitTexts, readLimits } from '../../api/limits.ts';
import styles from './limit-fields.module.css';

/** Fields for the requests per minute, per day and, if wanted, per month. */
export function LimitFields({
  limits,
  planName,
  before = null,
  onChange,
}: {
  readonly limits: LimitTexts;
  /** The limits in force, shown beside the new ones. */
  readonly before?: Limits | null;
  /** The plan that leaves the limits to the key. Set only if the limits are those of a key. */
  readonly planName?: string;
  readonly onChange: (limits: LimitTexts) => void;
}) {
  const { minute, day, month } = limits;
  const hint = (name: keyof Limits, text: string) => {
    const limit = before?.[name];
    return limit === undefined || String(limit) === text.trim() ? undefined : `Now: ${formatCount(limit)}`;
  };
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
        hint={hint('minute', minute)}
        error={wrong ? 'Whole numbers, at least 1. A longer period must not have a lower limit.' : undefined}
        onChange={(text) => onChange({ ...limits, minute: text })}
      />
      <TextField
        label="Per day (UTC)"
        inputMode="numeric"
        required
        value={day}
        hint={hint('day', day)}
        onChange={(text) => onChange({ ...limits, day: text })}
      />
      <TextField
        label="Per month (UTC)"
        inputMode="numeric"
        optional
        value={month}
        hint={hint('month', month)}
        onChange={(text) => onChange({ ...limits, month: text })}
      />
    </fieldset>
  );
}
