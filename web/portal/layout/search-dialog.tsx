import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { SearchDialog as SearchDialogOf } from '../../shared/ui/frame/search-dialog.tsx';
import { eventTypesQuery, webhooksQuery } from '../api/events/webhooks.ts';
import { searchIndexQuery } from '../api/reference.ts';
import { teamPageTextsQuery } from '../api/front.ts';
import { referenceQuery } from '../parts/reference-query.ts';
import { errorsQuery, sectionsQuery } from '../screens/guides/guide-texts.ts';
import { textSections } from '../markdown/headings.ts';
import { searchedGuides } from '../screens/guides/guides.ts';
import { useVisitor } from '../session/session-context.ts';
import { findResults } from './search-results.ts';
import { usePlaces } from './use-places.ts';

interface Props {
  /** Returns what the user typed while the dialog was loading. */
  readonly typedAhead: () => string;
  readonly onClose: () => void;
}

/**
 * The search. It finds pages, guides, operations and their fields, events, error codes, the user's webhooks, and a
 * request by its id.
 */
export function SearchDialog({ typedAhead, onClose }: Props) {
  const [text, setText] = useState('');
  const reference = useQuery(referenceQuery);
  const types = useQuery(eventTypesQuery);
  const index = useQuery(searchIndexQuery);
  const own = useQuery(teamPageTextsQuery);
  const places = usePlaces().flatMap((group) => group.places);
  const sections = useQuery(sectionsQuery);
  const errors = useQuery(errorsQuery);
  const mayHaveWebhooks = (useVisitor()?.account ?? null) !== null;
  const webhooks = useQuery({ ...webhooksQuery, enabled: mayHaveWebhooks });
  const guides = useMemo(() => searchedGuides(sections.data), [sections.data]);
  const teamPages = useMemo(() => (own.data ?? []).map(searchedTeamPage), [own.data]);
  const { results, corrected } = findResults(text, {
    places,
    reference: reference.data ?? null,
    index: index.data,
    events: types.data ?? [],
    errors: errors.data ?? [],
    guides: [...guides, ...teamPages],
    webhooks: webhooks.data?.items ?? [],
  });
  const reads = [reference, index, types, sections, errors, own, ...(mayHaveWebhooks ? [webhooks] : [])];
  const error = reads.find((read) => read.error !== null)?.error ?? null;
  const isLoading = text.trim() !== '' && reads.some(({ isPending }) => isPending);
  return (
    <SearchDialogOf
      label="Search operations, fields, errors, guides and events"
      placeholder="A path, a field, an error code, a request id…"
      text={text}
      results={results}
      isLoading={isLoading}
      marked={corrected ?? text}
      status={
        error === null
          ? describeStatus(text, { results, corrected, isLoading })
          : `Some results are missing. ${error.message}`
      }
      onText={setText}
      typedAhead={typedAhead}
      onClose={onClose}
    />
  );
}

function describeStatus(
  text: string,
  { results, corrected, isLoading }: ReturnType<typeof findResults> & { readonly isLoading: boolean },
): string {
  if (isLoading) return 'Searching…';
  if (results.length === 0) return 'No results. Try fewer or other words.';
  const keys = '↑ ↓ to choose, Enter to open';
  return corrected === null ? keys : `Nothing has “${text.trim()}”, so this is found for “${corrected}” · ${keys}`;
}

function searchedTeamPage({
  name,
  title,
  text = '',
}: {
  readonly name: string;
  readonly title: string;
  readonly text?: string;
}) {
  return { href: `/pages/${name}`, title, sections: textSections(text) };
}
