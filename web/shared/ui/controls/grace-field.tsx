import { spokenDuration } from '../../format/time.ts';
import { SelectField } from './field.tsx';

/** The default of the APIs: `graceSeconds` in their OpenAPI documents. */
export const USUAL_GRACE_SECONDS = 86_400;

const GRACES_SECONDS = [0, 3600, USUAL_GRACE_SECONDS, 7 * 86_400, 30 * 86_400];

interface Props {
  readonly label: string;
  readonly value: number;
  /** If the API takes less than a month. */
  readonly maxSeconds?: number;
  readonly onChange: (seconds: number) => void;
}

/** How long a secret that is replaced goes on. */
export function GraceField({ label, value, maxSeconds = Infinity, onChange }: Props) {
  const options = GRACES_SECONDS.filter((seconds) => seconds <= maxSeconds).map((seconds) => ({
    value: String(seconds),
    label: seconds === 0 ? '0 seconds (if it leaked)' : spokenDuration(seconds * 1000),
  }));
  return (
    <SelectField
      label={label}
      value={String(value)}
      options={options}
      onChange={(seconds) => onChange(Number(seconds))}
    />
  );
}
