import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchDialog as SearchDialogOf } from '../../shared/ui/frame/search-dialog.tsx';
import { eventTypesQuery } from '../api/events/webhooks.ts';
import { referenceQuery } from '../parts/reference-query.ts';
import { operationsOf } from '../reference/model/reference.ts';
import { PLACES } from './navigation.ts';
import { resultsFor } from './results.ts';

const places = PLACES.flatMap((group) => group.places);

/** Finds operations, events, pages, and the request that has an id. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const reference = useQuery(referenceQuery);
  const operations = reference.data === undefined ? [] : operationsOf(reference.data);
  const types = useQuery(eventTypesQuery);
  const results = resultsFor(text, { places, operations, events: types.data ?? [] });
  const error = reference.error ?? types.error;
  const found = results.length === 0 ? 'No results.' : '↑ ↓ to choose, Enter to open';
  return (
    <SearchDialogOf
      label="Search operations, events and pages"
      placeholder="A path, a name, a request id…"
      text={text}
      results={results}
      status={error === null ? found : `The search is incomplete. ${error.message}`}
      onText={setText}
      onClose={onClose}
    />
  );
}
