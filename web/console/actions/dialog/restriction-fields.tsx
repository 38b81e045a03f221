import { TextField } from '../../../shared/ui/controls/field.tsx';

interface Props {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The operations that a plan or a key includes, as one types them. */
export function OperationsField({ value, onChange }: Props) {
  return (
    <TextField
      label="Operations"
      hint="Operation ids, or tag:NAME for all operations with a tag, separated by commas. Leave empty to allow all."
      optional
      value={value}
      onChange={onChange}
    />
  );
}

export function AddressesField({ value, onChange }: Props) {
  return (
    <TextField
      label="Addresses"
      hint="IP addresses and ranges such as 203.0.113.0/24, separated by commas. Leave empty to allow any address."
      optional
      value={value}
      onChange={onChange}
    />
  );
}
