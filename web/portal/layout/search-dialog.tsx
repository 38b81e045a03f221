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
import { resultsFor } from './search-results.ts';
import { usePlaces } from './use-places.ts';

interface Props {
  /** Receives what the user typed while this was loading. */
  readonly typedAhead: () => string;
  readonly onClose: () => void;
}

/** Finds operations and their fields, events, error codes, guides, pages, own webhooks, and the request with an id. */
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
  const results = resultsFor(text, {
    places,
    reference: reference.data ?? null,
    index: index.data,
    events: types.data ?? [],
    errors: errors.data ?? [],
    guides: [...guides, ...teamPages],
    webhooks: webhooks.data?.items ?? [],
  });
  const error =
    reference.error ?? index.error ?? types.error ?? sections.error ?? errors.error ?? own.error ?? webhooks.error;
  const found = results.length === 0 ? 'No results. Try fewer or other words.' : '↑ ↓ to choose, Enter to open';
  return (
    <SearchDialogOf
      label="Search operations, fields, errors, guides and events"
      placeholder="A path, a field, an error code, a request id…"
      text={text}
      results={results}
      status={error === null ? found : `Some results are missing. ${error.message}`}
      onText={setText}
      typedAhead={typedAhead}
      onClose={onClose}
    />
  );
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
