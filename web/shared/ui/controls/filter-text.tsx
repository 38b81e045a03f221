import { Search } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import styles from './filter-text.module.css';

const TYPING_PAUSE_MS = 250;

/** A text field that filters a table. The URL changes once the user stops typing for a moment. */
export function FilterText({
  label,
  placeholder,
  value,
  hint,
  suggestions,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly hint?: string;
  readonly suggestions?: readonly string[];
  readonly onChange: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const id = useId();
  // A link or going back changed the URL, so show the new text.
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <span className={styles.filter} data-set={value !== ''}>
      <Search size={14} aria-hidden />
      <input
        type="search"
        aria-label={label}
        aria-describedby={id}
        list={suggestions === undefined ? undefined : `${id}-list`}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <span id={id} className={styles.hint}>
        {hint}
      </span>
    </span>
  );
}
