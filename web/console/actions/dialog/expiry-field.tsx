import { useState } from 'react';
import { DAY_MS } from '../../../shared/format/durations.ts';
import { formatLocalTime, parseLocalTime } from '../../../shared/format/local-time.ts';
import { formatExactTime } from '../../../shared/format/time.ts';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';

interface Props {
  /** In the format of `datetime-local` inputs. Empty: never. */
  readonly value: string;
  readonly hint?: string;
  readonly onChange: (value: string) => void;
}

const NEVER = 'never';
const CUSTOM = 'custom';
const DAYS = [30, 90, 365];

/** When a key expires: never, after one of the usual periods, or at a chosen time. */
export function ExpiryField({ value, hint, onChange }: Props) {
  const [choice, setChoice] = useState(value === '' ? NEVER : CUSTOM);
  const at = parseLocalTime(value);
  const choose = (next: string) => {
    setChoice(next);
    if (next === NEVER) onChange('');
    else if (next !== CUSTOM) onChange(formatLocalTime(new Date(Date.now() + Number(next) * DAY_MS).toISOString()));
  };
  const options = [
    { value: NEVER, label: 'Never' },
    ...DAYS.map((days) => ({ value: String(days), label: days === 365 ? 'In a year' : `In ${days} days` })),
    { value: CUSTOM, label: 'At a time…' },
  ];
  const words = [at !== undefined && `${formatExactTime(Date.parse(at))}.`, hint].filter(Boolean).join(' ');
  return (
    <>
      <SelectField label="Expires" hint={words} value={choice} options={options} onChange={choose} />
      {choice === CUSTOM && (
        <TextField
          label="Expires at"
          hint="In your time zone."
          type="datetime-local"
          max="9999-12-31T23:59"
          required
          value={value}
          onChange={onChange}
        />
      )}
    </>
  );
}
