import type { SearchResult } from '../../shared/ui/frame/search-dialog.tsx';
import type { Operation } from '../reference/model/operation.ts';
import { searchOperations } from '../reference/model/search.ts';

const MAX_OPERATIONS = 12;
const MAX_EVENTS = 12;

interface Searched {
  readonly places: readonly Place[];
  readonly operations: readonly Operation[];
  readonly events: readonly { readonly name: string; readonly summary: string }[];
}

interface Place {
  readonly label: string;
  readonly to: string;
}

/** What a text finds: pages, operations, types of events, and the refused request of that id. */
export function resultsFor(text: string, { places, operations, events }: Searched): readonly SearchResult[] {
  const wanted = text.trim();
  return [
    ...places
      .filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
      .map(({ label, to }) => ({ id: `page ${to}`, kind: 'Page', label, detail: '', href: to })),
    ...(wanted === '' ? [] : searchOperations(operations, wanted).slice(0, MAX_OPERATIONS).map(operationResult)),
    ...(wanted === '' ? [] : searchEvents(events, wanted).slice(0, MAX_EVENTS).map(eventResult)),
    ...(mayBeRequestId(wanted) ? [requestResult(wanted)] : []),
  ];
}

function searchEvents(events: Searched['events'], wanted: string): Searched['events'] {
  return events.filter(({ name }) => name.includes(wanted.toLowerCase()));
}

/** With a digit, so that a word is no id. */
function mayBeRequestId(text: string): boolean {
  return /^(?=.*\d)[\w.-]{8,128}$/.test(text) && !text.startsWith('tg_');
}

function operationResult({ id, method, path, summary }: Operation): SearchResult {
  return {
    id: `operation ${id}`,
    kind: 'Operation',
    label: `${method} ${path}`,
    detail: summary ?? id,
    href: `/reference/${encodeURIComponent(id)}`,
  };
}

function eventResult({ name, summary }: Searched['events'][number]): SearchResult {
  return {
    id: `event ${name}`,
    kind: 'Event',
    label: name,
    detail: summary,
    href: `/events/${encodeURIComponent(name)}`,
  };
}

function requestResult(id: string): SearchResult {
  const href = `/requests?id=${encodeURIComponent(id)}`;
  return { id: `request ${id}`, kind: 'Request', label: id, detail: 'why it was refused', href };
}
