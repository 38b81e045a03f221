import type { SearchResult } from '../../shared/ui/frame/search-dialog.tsx';
import type { Operation } from '../reference/model/operation.ts';
import type { Reference } from '../reference/model/reference.ts';
import { searchOperations } from '../reference/model/search.ts';

const MAX_OPERATIONS = 12;
const MAX_EVENTS = 12;
const MAX_ERRORS = 8;
/** Shorter words are in every guide. */
const MIN_GUIDE_WORD = 3;

interface Searched {
  readonly places: readonly Place[];
  /** Null until it is read. */
  readonly reference: Reference | null;
  readonly events: readonly { readonly name: string; readonly summary: string }[];
  readonly errors: readonly { readonly code: string; readonly status: string; readonly message: string }[];
  readonly guides: readonly { readonly page: string; readonly title: string; readonly text: string }[];
}

interface Place {
  readonly label: string;
  readonly to: string;
}

/** What a text finds: pages, operations, types of events, error codes, guides, and the refused request of that id. */
export function resultsFor(
  text: string,
  { places, reference, events, errors, guides }: Searched,
): readonly SearchResult[] {
  const wanted = text.trim();
  const pages = places.filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()));
  const pageResults = pages.map(({ label, to }) => ({ id: `page ${to}`, kind: 'Page', label, detail: '', href: to }));
  if (wanted === '') return pageResults;
  const operations = reference === null ? [] : searchOperations(reference, wanted);
  const shown = new Set(pages.map(({ to }) => to));
  return [
    ...pageResults,
    ...searchErrors(errors, wanted).slice(0, MAX_ERRORS).map(errorResult),
    ...operations.slice(0, MAX_OPERATIONS).map(operationResult),
    ...searchEvents(events, wanted).slice(0, MAX_EVENTS).map(eventResult),
    ...searchGuides(guides, wanted)
      .map(guideResult)
      .filter(({ href }) => !shown.has(href)),
    ...(mayBeRequestId(wanted) ? [requestResult(wanted)] : []),
  ];
}

/** By status, or by part of the code, also with spaces in it. */
function searchErrors(errors: Searched['errors'], wanted: string): Searched['errors'] {
  const code = wanted.toLowerCase().replaceAll(/\s+/g, '_');
  return errors.filter((error) => error.status === wanted || error.code.includes(code));
}

function errorResult({ code, status, message }: Searched['errors'][number]): SearchResult {
  return { id: `error ${code}`, kind: 'Error', label: code, detail: `${status}: ${message}`, href: '/docs/errors' };
}

function searchGuides(guides: Searched['guides'], wanted: string): Searched['guides'] {
  const words = wanted.toLowerCase().split(/\s+/);
  if (words.every((word) => word.length < MIN_GUIDE_WORD)) return [];
  return guides.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
}

function guideResult({ page, title }: Searched['guides'][number]): SearchResult {
  return { id: `guide ${page}`, kind: 'Guide', label: title, detail: '', href: `/docs/${page}` };
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
