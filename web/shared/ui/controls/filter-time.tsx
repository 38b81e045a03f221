import { useEffect, useState } from 'react';
import styles from './filter-time.module.css';
import { formatLocalTime, parseLocalTime } from '../../format/local-time.ts';

/** The time to wait for further digits. The browser reports a complete year after its first digit. */
const TYPING_PAUSE_MS = 600;

/** Fields for the start and end of a table's period. */
export function FilterTimes({
  from,
  to,
  isCounted = true,
  onChange,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** True if the toolbar counts these times as an active filter. False if it already counts the select beside them. */
  readonly isCounted?: boolean;
  readonly onChange: (change: { readonly from?: string | undefined; readonly to?: string | undefined }) => void;
}) {
  return (
    <div className={styles.period} data-set={isCounted && (from ?? to) !== undefined}>
      <FilterTime label="From" value={from} onChange={(at) => onChange({ from: at })} />
      <FilterTime label="To" value={to} onChange={(at) => onChange({ to: at })} />
    </div>
  );
}

/** A field for a start or end time in the user's time zone. In the URL, the time is in RFC 3339. */
function FilterTime({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}) {
  const [text, setText] = useState(formatInput(value));
  const [shown, setShown] = useState(value);
  // A link or going back changed the URL, so show the new time.
  if (shown !== value) {
    setShown(value);
    setText(formatInput(value));
  }
  useEffect(() => {
    if (text === formatInput(value)) return undefined;
    const timer = setTimeout(() => onChange(parseLocalTime(text)), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <label className={styles.filter} data-set={value !== undefined}>
      <span>{label}</span>
      <input type="datetime-local" value={text} onChange={(event) => setText(event.target.value)} />
    </label>
  );
}

function formatInput(value: string | undefined): string {
  return value === undefined ? '' : formatLocalTime(value);
}
