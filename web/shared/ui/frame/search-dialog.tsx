import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../overlays/dialog.tsx';
import styles from './search-dialog.module.css';

export interface SearchResult {
  readonly id: string;
  /** "Screen", "Operation". */
  readonly kind: string;
  readonly label: string;
  readonly detail: string;
  /** An address within the page, percent-encoded. */
  readonly href: string;
}

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly results: readonly SearchResult[];
  readonly status: string;
  readonly onText: (text: string) => void;
  /** Takes what was typed before the field had the focus. */
  readonly typedAhead: () => string;
  readonly onClose: () => void;
}

/** One field that finds everything, driven by the arrow keys (the combobox pattern of ARIA). */
export function SearchDialog({ label, placeholder, text, results, status, onText, typedAhead, onClose }: Props) {
  const [active, setActive] = useState(0);
  const router = useRouter();
  const listId = useId();
  const open = (result: SearchResult | undefined) => {
    if (result === undefined) return;
    onClose();
    router.history.push(router.basepath.replace(/\/$/, '') + result.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      setActive((active + step + results.length) % results.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(results[active]);
    }
  };
  return (
    <Dialog title="Search" open onClose={onClose} wide>
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-activedescendant={results.length > 0 ? `${listId}-${active}` : undefined}
        className={styles.input}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setActive(0);
        }}
        onFocus={() => {
          const ahead = typedAhead();
          if (ahead !== '') onText(text + ahead);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
        {results.map((result, index) => (
          <div
            key={result.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.option}
            onMouseMove={() => setActive(index)}
            onClick={() => open(result)}
            onKeyDown={onKeyDown}
          >
            <span className={styles.kind}>{result.kind}</span>
            <bdi className={styles.label}>{result.label}</bdi>
            <bdi className={styles.detail}>{result.detail}</bdi>
          </div>
        ))}
      </div>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </Dialog>
  );
}
