import { formatLongDuration } from '../../../shared/format/time.ts';
import { SelectField } from '../../../shared/ui/controls/field.tsx';

const BAN_SECONDS = [300, 3600, 86_400, 7 * 86_400, 30 * 86_400];

export function BanLengthField({
  seconds,
  onChange,
}: {
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
}) {
  return (
    <SelectField
      label="Duration"
      value={String(seconds)}
      options={BAN_SECONDS.map((each) => ({ value: String(each), label: formatLongDuration(each * 1000) }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
