import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '../../../shared/ui/overlays/dialog.tsx';
import { useSettled } from '../../../shared/behaviour/use-settled.ts';
import { MIN_SEARCH_LENGTH, readKeys } from '../../api/keys.ts';
import { operationsQuery, plansQuery } from '../../api/lists.ts';
import { PLACES } from '../navigation.ts';
import { type Result, resultsFor } from './results.ts';
import styles from './search-dialog.module.css';

const TYPING_PAUSE_MS = 150;
const places = PLACES.flatMap((group) => group.places);

/** One field that finds everything, driven by the arrow keys (the combobox pattern of ARIA). */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const router = useRouter();
  const listId = useId();
  const { results, isSearching } = useResults(text);
  const open = (result: Result | undefined) => {
    if (result === undefined) return;
    onClose();
    router.history.push(result.href);
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
        aria-label="Search keys, owners, plans, operations and request ids"
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-activedescendant={results.length > 0 ? `${listId}-${active}` : undefined}
        className={styles.input}
        placeholder="A name, an owner, an id, a path…"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
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
        {statusOf(text, results.length, isSearching)}
      </p>
    </Dialog>
  );
}

function statusOf(text: string, count: number, isSearching: boolean): string {
  if (isSearching) return 'Searching…';
  if (text !== '' && text.trim().length < MIN_SEARCH_LENGTH)
    return 'Keys and owners are searched from three characters on.';
  return count === 0 ? 'Nothing was found.' : '↑ ↓ to choose, Enter to open';
}

function useResults(text: string) {
  const settled = useSettled(text.trim(), TYPING_PAUSE_MS);
  const searched = settled.length >= MIN_SEARCH_LENGTH;
  const keys = useQuery({
    queryKey: ['keys', 'search', settled],
    queryFn: ({ signal }) => readKeys({ q: settled }, undefined, signal),
    enabled: searched,
  });
  const plans = useQuery(plansQuery);
  const operations = useQuery(operationsQuery);
  const results = resultsFor(text, {
    places,
    keys: searched ? (keys.data?.items ?? []) : [],
    plans: plans.data ?? [],
    operations: operations.data ?? [],
  });
  return { results, isSearching: searched && keys.isFetching };
}
