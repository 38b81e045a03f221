import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button, IconButton } from '../../../shared/ui/controls/button.tsx';
import { PlainInput } from '../../../shared/ui/controls/field.tsx';
import styles from './metadata-fields.module.css';

interface MetadataRow {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

type Metadata = Readonly<Record<string, string>>;

const MAX_ROWS = 50;
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

export function createRows(metadata: Metadata): readonly MetadataRow[] {
  return Object.entries(metadata).map(([name, value], id) => ({ id, name, value }));
}

/**
 * Reads the metadata from the rows and ignores empty rows. If the API would refuse the metadata, it is null and `error`
 * says why.
 */
export function readMetadata(rows: readonly MetadataRow[]) {
  const filled = rows
    .map((row) => ({ ...row, name: row.name.trim() }))
    .filter(({ name, value }) => name + value !== '');
  const wrong = filled.find(({ name }) => !NAME_PATTERN.test(name));
  const names = filled.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const error =
    wrong !== undefined
      ? 'Names begin with a letter or digit, and may contain letters, digits, “_”, “.” and “-”.'
      : twice !== undefined
        ? `“${twice}” is used twice.`
        : null;
  const metadata: Metadata | null =
    error === null ? Object.fromEntries(filled.map(({ name, value }) => [name, value])) : null;
  return { metadata, error };
}

interface Props {
  readonly rows: readonly MetadataRow[];
  readonly error: string | null;
  readonly onChange: (rows: readonly MetadataRow[]) => void;
}

/** Fields for metadata, with a row for each name and value. */
export function MetadataFields({ rows, error, onChange }: Props) {
  const hint = useId();
  const set = (changed: MetadataRow) => onChange(rows.map((row) => (row.id === changed.id ? changed : row)));
  const add = () => onChange([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }]);
  return (
    <fieldset className={styles.fields} aria-describedby={hint}>
      <legend>
        Metadata <span>optional</span>
      </legend>
      {rows.map((row, index) => (
        <div key={row.id} className={styles.row}>
          <PlainInput
            aria-label={`Name of field ${index + 1}`}
            placeholder="Name"
            maxLength={64}
            value={row.name}
            onChange={(name) => set({ ...row, name })}
          />
          <PlainInput
            aria-label={`Value of field ${index + 1}`}
            placeholder="Value"
            maxLength={500}
            value={row.value}
            onChange={(value) => set({ ...row, value })}
          />
          <IconButton
            icon={X}
            label={`Remove field ${index + 1}`}
            onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      <p id={hint} className={error === null ? styles.hint : styles.error}>
        {error ?? 'Your own notes on the key, such as an order number. Consumers do not see them.'}
      </p>
      {rows.length < MAX_ROWS && (
        <Button icon={Plus} onClick={add}>
          Add a field
        </Button>
      )}
    </fieldset>
  );
}
