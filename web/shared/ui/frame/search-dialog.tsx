import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { isSearchKey } from '../../behavior/shortcuts.ts';
import { Dialog } from '../overlays/dialog.tsx';
import styles from './search-dialog.module.css';

interface Line {
  readonly id: string;
  /** The kind of the result, such as "Screen" or "Operation". */
  readonly kind: string;
  readonly label: string;
  readonly detail: string;
}

/** The action that choosing the result performs. */
type Choice =
  /** Opens a URL within the page, percent-encoded. */
  | { readonly href: string }
  /** Continues the search with this text. */
  | { readonly text: string }
  | { readonly run: () => void };

export type SearchLink = Line & { readonly href: string };
export type SearchResult = Line & Choice;

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly results: readonly SearchResult[];
  /** True if more results may follow, which may also come before those that are shown. */
  readonly isLoading: boolean;
  /** The words to mark in the results, if they differ from the typed text. */
  readonly marked?: string;
  readonly status: string;
  readonly onText: (text: string) => void;
  /** Returns what the user typed before the field had the focus. A line feed stands for Enter. */
  readonly typedAhead: () => string;
  readonly onClose: () => void;
}

/**
 * A field that searches everything. The arrow keys select a result (the combobox pattern of ARIA). Enter waits until the
 * results are loaded, unless the user has selected one.
 */
export function SearchDialog(props: Props) {
  const { label, placeholder, text, results, isLoading, marked = text, status, onText, typedAhead, onClose } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const [isEntered, setEntered] = useState(false);
  const active = chosen ?? 0;
  const router = useRouter();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The braces keep the effect from returning the promise of newer browsers, which is no cleanup function.
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const change = (changed: string) => {
    onText(changed);
    setChosen(null);
    setEntered(false);
  };
  const choose = (index: number) => {
    setChosen(index);
    setEntered(false);
  };
  const open = (result: SearchResult | undefined) => {
    if (result === undefined) return;
    if ('text' in result) {
      change(result.text);
      input.current?.focus();
      return;
    }
    onClose();
    if ('run' in result) result.run();
    else router.history.push(router.basepath.replace(/\/$/, '') + result.href);
  };
  useEffect(() => {
    if (isEntered && !isLoading) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
  }, [isEntered, isLoading]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSearchKey(event)) {
      event.preventDefault();
      onClose();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      choose((active + step + results.length) % results.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isLoading && chosen === null) setEntered(true);
      else open(results[active]);
    }
  };
  return (
    <Dialog title="Search" open onClose={onClose} wide withoutHead>
      <input
        ref={input}
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
        onChange={(event) => change(event.target.value)}
        onFocus={() => {
          const ahead = typedAhead();
          if (ahead === '') return;
          change(text + ahead.replaceAll('\n', ''));
          setEntered(ahead.endsWith('\n'));
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label="Results" className={styles.list}>
        {results.map((result, index) => (
          <div
            key={result.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.option}
            onMouseMove={() => choose(index)}
            onClick={() => open(result)}
            onKeyDown={onKeyDown}
          >
            <span className={styles.kind} data-again={result.kind === results[index - 1]?.kind}>
              {result.kind}
            </span>
            <bdi className={styles.label}>
              <Marked text={result.label} wanted={marked.trim()} />
            </bdi>
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

/** Marks the searched words in a text. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const words = wanted
    .split(/\s+/)
    // Single letters are not marked, because they occur in every other word.
    .filter((word) => word.length > 1)
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  if (words.length === 0) return text;
  // Splitting by a group keeps the matches, so every second part is one of the words.
  return text.split(new RegExp(`(${words.join('|')})`, 'i')).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- a part is identified only by its place in the text
      <mark key={index} className={styles.match}>
        {part}
      </mark>
    ),
  );
}
