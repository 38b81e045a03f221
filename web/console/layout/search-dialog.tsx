import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSettled } from '../../shared/behavior/use-settled.ts';
import { pluralize } from '../../shared/format/number.ts';
import { SearchDialog as SearchDialogOf } from '../../shared/ui/frame/search-dialog.tsx';
import { useSignOut } from '../../shared/ui/frame/sign-out.ts';
import { useThemeItems } from '../../shared/ui/frame/theme-items.ts';
import { type KeyFilters, MIN_SEARCH_LENGTH, readKeys } from '../api/keys.ts';
import { operationsQuery } from '../api/operations.ts';
import { readWebhooks } from '../api/events/webhooks.ts';
import { readOwners } from '../api/owners.ts';
import { plansQuery } from '../api/plans.ts';
import { withoutSecret } from '../parts/without-secret.ts';
import { useSession } from '../session/session-context.ts';
import { signOut } from '../api/session.ts';
import { COMMANDS, parseKeyCommand, READ_COMMANDS } from '../actions/commands.ts';
import { PLACES } from './navigation.ts';
import { type Preference, type Result, findResults } from './search-results.ts';

const TYPING_PAUSE_MS = 150;
const places = PLACES.flatMap((group) => group.places);

interface Props {
  /** Returns what the user typed while the dialog was loading. */
  readonly typedAhead: () => string;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Finds screens, owners, keys, plans, operations, webhooks, requests and commands. */
export function SearchDialog({ typedAhead, onClose, onShortcuts }: Props) {
  const [text, setText] = useState('');
  const { results, isSearching, error } = useResults(withoutSecret(text), onShortcuts);
  return (
    <SearchDialogOf
      label="Search keys, owners, plans, operations, webhooks, request ids and actions"
      placeholder="A name, an owner, an id, a path, or an action such as “ban”…"
      text={text}
      results={results}
      isLoading={isSearching}
      status={
        error === null ? describeStatus(text, results, isSearching) : `The search is incomplete. ${error.message}`
      }
      onText={setText}
      typedAhead={typedAhead}
      onClose={onClose}
    />
  );
}

function describeStatus(text: string, results: readonly Result[], isSearching: boolean): string {
  if (isSearching) return 'Searching…';
  const wanted = parseKeyCommand(text)?.of ?? text.trim();
  if (wanted !== '' && wanted.length < MIN_SEARCH_LENGTH)
    return 'Type at least three characters to search keys, owners and webhooks.';
  if (results.length === 0) return 'No results. The search looks at names, owners, ids, paths and actions.';
  if (results.every(({ kind }) => kind === 'Request' || kind === 'Audit'))
    return 'Nothing has this name. Look it up as an id:';
  return `${pluralize(results.length, 'result')} · ↑ ↓ to choose, Enter to open`;
}

function useResults(text: string, onShortcuts: () => void) {
  const { canChange } = useSession();
  const preferences = usePreferences(onShortcuts);
  const wanted = text.trim();
  const settled = useSettled(text, TYPING_PAUSE_MS);
  const keys = useKeys(settled.trim(), {});
  const owners = useQuery({
    queryKey: ['owners', 'search', settled.trim()],
    queryFn: ({ signal }) => readOwners(settled.trim(), signal),
    enabled: settled.trim().length >= MIN_SEARCH_LENGTH,
  });
  const webhooks = useQuery({
    queryKey: ['webhooks', 'search', settled.trim()],
    queryFn: ({ signal }) => readWebhooks(settled.trim(), signal),
    enabled: settled.trim().length >= MIN_SEARCH_LENGTH,
  });
  const change = canChange ? parseKeyCommand(settled) : null;
  const choices = useKeys(change?.of ?? null, change?.command.filters ?? {});
  const plans = useQuery(plansQuery);
  const operations = useQuery(operationsQuery);
  const results = findResults(text, {
    places,
    mayChange: canChange,
    commands: [...(canChange ? COMMANDS : []), ...READ_COMMANDS, ...preferences],
    chosen: change === null ? null : { command: change.command, keys: choices.data?.items ?? [] },
    owners: owners.data?.items ?? [],
    keys: keys.data?.items ?? [],
    plans: plans.data ?? [],
    operations: operations.data ?? [],
    webhooks: webhooks.data?.items ?? [],
  });
  const reads = [keys, owners, webhooks, choices];
  const error = [...reads, plans, operations].find((read) => read.error !== null)?.error ?? null;
  const isAwaited = wanted.length >= MIN_SEARCH_LENGTH && text !== settled;
  return { results, error, isSearching: isAwaited || reads.some(({ isFetching }) => isFetching) };
}

/**
 * Reads the first page of the keys that match a text. An empty text matches all keys that pass the filter; null reads
 * nothing.
 */
function useKeys(q: string | null, filters: KeyFilters) {
  const isFilter = Object.keys(filters).length > 0;
  return useQuery({
    queryKey: ['keys', 'search', q, filters],
    queryFn: ({ signal }) => readKeys(q === null || q === '' ? filters : { ...filters, q }, undefined, signal),
    enabled: q !== null && (q.length >= MIN_SEARCH_LENGTH || (q === '' && isFilter)),
  });
}

function usePreferences(onShortcuts: () => void): readonly Preference[] {
  const leave = useSignOut(signOut);
  const themes = useThemeItems().map(({ label, onSelect }) => ({
    label: `Theme: ${label.toLowerCase()}`,
    words: 'colors mode appearance',
    run: onSelect,
  }));
  return [
    ...themes,
    { label: 'Keyboard shortcuts', words: 'help keys', run: onShortcuts },
    { label: 'Sign out', words: 'log leave', run: leave },
  ];
}
