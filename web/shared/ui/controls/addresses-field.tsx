import { TextField } from './field.tsx';

interface Props {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for the list of addresses from which a key may be used. */
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
