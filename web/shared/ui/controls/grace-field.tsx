import { formatLongDuration } from '../../format/time.ts';
import { SelectField } from './field.tsx';

/** The default of `graceSeconds` in both APIs. */
export const USUAL_GRACE_SECONDS = 86_400;

const GRACES_SECONDS = [0, 3600, USUAL_GRACE_SECONDS, 7 * 86_400, 30 * 86_400];

const LABEL = 'Old secret stays valid for';

interface Props {
  readonly value: number;
  /** The maximum, if the API allows less than a month. */
  readonly maxSeconds?: number;
  readonly onChange: (seconds: number) => void;
}

/** A field for the time during which a replaced secret stays valid. */
export function GraceField({ value, maxSeconds = Infinity, onChange }: Props) {
  return (
    <SelectField
      label={LABEL}
      value={String(value)}
      options={optionsUpTo(maxSeconds)}
      onChange={(seconds) => onChange(Number(seconds))}
    />
  );
}

/** The grace period of a replaced key, as both APIs take it. */
export type KeyGrace = { readonly graceSeconds: number } | { readonly graceUntil: 'quiet' };

export const USUAL_GRACE: KeyGrace = { graceSeconds: USUAL_GRACE_SECONDS };

const QUIET_OPTION = 'quiet';

interface KeyProps {
  readonly value: KeyGrace;
  /** Says when an unlimited grace period ends, such as "has not been used for a week". */
  readonly quietEnd: string;
  readonly onChange: (grace: KeyGrace) => void;
}

/** A field for the grace period of a replaced key, which can also end once the key is no longer used. */
export function KeyGraceField({ value, quietEnd, onChange }: KeyProps) {
  const isQuiet = 'graceUntil' in value;
  return (
    <SelectField
      label={LABEL}
      hint={isQuiet ? `It expires once the new secret is in use and the old one ${quietEnd}.` : undefined}
      value={isQuiet ? QUIET_OPTION : String(value.graceSeconds)}
      options={[...optionsUpTo(Infinity), { value: QUIET_OPTION, label: 'as long as it is used' }]}
      onChange={(chosen) =>
        onChange(chosen === QUIET_OPTION ? { graceUntil: QUIET_OPTION } : { graceSeconds: Number(chosen) })
      }
    />
  );
}

function optionsUpTo(maxSeconds: number) {
  return GRACES_SECONDS.filter((seconds) => seconds <= maxSeconds).map((seconds) => ({
    value: String(seconds),
    label: seconds === 0 ? 'not at all (it leaked)' : formatLongDuration(seconds * 1000),
  }));
}
