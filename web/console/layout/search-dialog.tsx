import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSettled } from '../../shared/behavior/use-settled.ts';
import { SearchDialog as SearchDialogOf } from '../../shared/ui/frame/search-dialog.tsx';
import { MIN_SEARCH_LENGTH, readKeys } from '../api/keys.ts';
import { operationsQuery } from '../api/operations.ts';
import { plansQuery } from '../api/plans.ts';
import { PLACES } from './navigation.ts';
import { resultsFor } from './search-results.ts';

const TYPING_PAUSE_MS = 150;
const places = PLACES.flatMap((group) => group.places);

interface Props {
  /** Takes what was typed while this was loading. */
  readonly typedAhead: () => string;
  readonly onClose: () => void;
}

/** Finds screens, keys, owners, plans, operations and requests. */
export function SearchDialog({ typedAhead, onClose }: Props) {
  const [text, setText] = useState('');
  const { results, isSearching, error } = useResults(text);
  return (
    <SearchDialogOf
      label="Search keys, owners, plans, operations and request ids"
      placeholder="A name, an owner, an id, a path…"
      text={text}
      results={results}
      status={
        error === null ? statusOf(text, results.length, isSearching) : `The search is incomplete. ${error.message}`
      }
      onText={setText}
      typedAhead={typedAhead}
      onClose={onClose}
    />
  );
}

function statusOf(text: string, count: number, isSearching: boolean): string {
  if (isSearching) return 'Searching…';
  if (text !== '' && text.trim().length < MIN_SEARCH_LENGTH)
    return 'Type at least three characters to search keys and owners.';
  return count === 0 ? 'No results.' : '↑ ↓ to choose, Enter to open';
}

function useResults(text: string) {
  const wanted = text.trim();
  const settled = useSettled(wanted, TYPING_PAUSE_MS);
  const searched = settled.length >= MIN_SEARCH_LENGTH;
  const isAwaited = wanted.length >= MIN_SEARCH_LENGTH && wanted !== settled;
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
  const error = (searched ? keys.error : null) ?? plans.error ?? operations.error;
  return { results, error, isSearching: isAwaited || (searched && keys.isFetching) };
}
