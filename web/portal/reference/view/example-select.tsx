import type { Example } from '../model/operation.ts';
import styles from './example-select.module.css';

interface Props {
  readonly examples: readonly Example[];
  /** The shown example. Null if it was generated for a selected variant. */
  readonly shown: Example | null;
  readonly onChoose: (name: string) => void;
}

/** A select for one of several examples. */
export function ExampleSelect({ examples, shown, onChoose }: Props) {
  return (
    <select
      aria-label="Example"
      className={styles.select}
      value={shown?.name ?? ''}
      onChange={(event) => onChoose(event.target.value)}
    >
      {shown === null && <option value="">For the chosen variant</option>}
      {examples.map(({ name, summary }) => (
        <option key={name} value={name}>
          {summary ?? name}
        </option>
      ))}
    </select>
  );
}
