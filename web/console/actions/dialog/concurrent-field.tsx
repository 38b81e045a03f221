import { TextField } from '../../../shared/ui/controls/field.tsx';
import { readConcurrent } from '../../api/limits.ts';
import { NEEDS_CONCURRENT } from './needs.ts';

/** A field for the number of requests that may be in flight at once. Empty: no limit. */
export function ConcurrentField({
  hint,
  value,
  onChange,
}: {
  readonly hint: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <TextField
      label="Requests at once"
      inputMode="numeric"
      optional
      value={value}
      hint={hint}
      error={readConcurrent(value) === undefined ? NEEDS_CONCURRENT : undefined}
      onChange={onChange}
    />
  );
}
