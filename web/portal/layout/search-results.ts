import type { SearchLink } from '../../shared/ui/frame/search-dialog.tsx';
import { EXACT, type FoundOperation, normalizeText, searchOperations } from '../reference/model/search.ts';
import type { SearchedPage } from '../screens/guides/guides.ts';
import { correctWords } from './correct-words.ts';
import { PAGE_WORDS } from './page-words.ts';
import type { Place, SearchedData } from './searched.ts';

const MAX_OPERATIONS = 12;
const MAX_EVENTS = 12;
const MAX_ERRORS = 8;
/** The length from which a word is searched for in guides. Shorter words occur in every guide. */
const MIN_GUIDE_WORD = 3;

/** A result with its score. Scores have the same scale as in `searchOperations`. */
interface Scored {
  readonly score: number;
  readonly result: SearchLink;
}

interface Results {
  readonly results: readonly SearchLink[];
  /**
   * The corrected text that was searched for, because nothing matches the typed text. Null if the typed text has
   * matches, or no corrected one has.
   */
  readonly corrected: string | null;
}

/**
 * Finds the results for a text, best first: pages, operations and their fields, event types, error codes, guides, the
 * user's webhooks, and the request with that id.
 */
export function findResults(text: string, searched: SearchedData): Results {
  const wanted = text.trim();
  if (wanted === '') return { results: searched.places.map(placeResult), corrected: null };
  const results = collectResults(wanted, searched);
  if (results.length > 0) return { results, corrected: null };
  for (const corrected of correctWords(wanted, searched)) {
    const similar = collectResults(corrected, searched);
    if (similar.length > 0) return { results: similar, corrected };
  }
  return { results, corrected: null };
}

function collectResults(
  wanted: string,
  { places, reference, index, events, errors, guides, webhooks }: SearchedData,
): readonly SearchLink[] {
  const found = [
    ...searchPlaces(places, wanted),
    ...searchErrors(errors, wanted).slice(0, MAX_ERRORS),
    ...(reference === null ? [] : searchOperations(reference, wanted, index))
      .slice(0, MAX_OPERATIONS)
      .map(scoredOperation),
    ...searchEvents(events, wanted).slice(0, MAX_EVENTS),
    ...searchGuides(guides, wanted),
    ...searchWebhooks(webhooks, wanted),
  ].toSorted((one, other) => other.score - one.score);
  // A guide may be found as a page, too. List it only once.
  const pages = new Set(found.flatMap(({ result }) => (result.kind === 'Page' ? [result.href] : [])));
  const results = found.map(({ result }) => result).filter(({ kind, href }) => kind !== 'Guide' || !pages.has(href));
  return mayBeRequestId(wanted) ? [...results, requestResult(wanted)] : results;
}

/**
 * The score of a section whose title is exactly the text. It is lower than the score of a page, operation or guide with
 * that name.
 */
const EXACT_SECTION = EXACT - 1;
const BEGINNING = 24;
const PART = 14;
/** The score of a guide that only mentions the text. */
const MENTION = 6;

function nameScore(name: string, wanted: string): number {
  const [lower, part] = [normalizeText(name), normalizeText(wanted)];
  if (lower === part) return EXACT;
  if (lower.startsWith(part)) return BEGINNING;
  return lower.includes(part) ? PART : 0;
}

function searchPlaces(places: readonly Place[], wanted: string): readonly Scored[] {
  return findScored(places, placeResult, (place) => {
    const words = (PAGE_WORDS[place.to] ?? []).map((word) => Math.min(nameScore(word, wanted), BEGINNING));
    return Math.max(nameScore(place.label, wanted), ...words);
  });
}

/** Finds the items with a score above zero, best first. */
function findScored<T>(
  items: readonly T[],
  toResult: (item: T) => SearchLink,
  score: (item: T) => number,
): readonly Scored[] {
  return items
    .map((item) => ({ score: score(item), result: toResult(item) }))
    .filter((each) => each.score > 0)
    .toSorted((one, other) => other.score - one.score);
}

function placeResult({ label, to }: Place): SearchLink {
  return { id: `page ${to}`, kind: 'Page', label, detail: '', href: to };
}

/** Finds codes by status or by a part of their name, in which spaces may replace underscores. */
function searchErrors(errors: SearchedData['errors'], wanted: string): readonly Scored[] {
  const code = wanted.toLowerCase().replaceAll(/\s+/g, '_');
  return findScored(errors, errorResult, (error) => (error.status === wanted ? EXACT : nameScore(error.code, code)));
}

function errorResult({ code, status, message }: SearchedData['errors'][number]): SearchLink {
  return {
    id: `error ${code}`,
    kind: 'Error',
    label: code,
    detail: `${status}: ${message}`,
    href: `/docs/errors#${code}`,
  };
}

/** Finds the best section of each guide. */
function searchGuides(guides: SearchedData['guides'], wanted: string): readonly Scored[] {
  const words = wanted.toLowerCase().split(/\s+/);
  const isShort = words.every((word) => word.length < MIN_GUIDE_WORD);
  return guides.flatMap(({ href, title, sections }) => {
    const ofGuide = nameScore(title, wanted);
    if (ofGuide === EXACT) return [{ score: EXACT, result: guideResult(href, title, undefined) }];
    const exact = sections.find((section) => nameScore(section.title, wanted) === EXACT);
    if (exact !== undefined) return [{ score: EXACT_SECTION, result: guideResult(href, title, exact) }];
    if (isShort) return [];
    const texts = sections.map((section) => `${section.title} ${section.text}`.toLowerCase());
    const all = `${title} ${texts.join(' ')}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    if (ofGuide > 0) return [{ score: ofGuide, result: guideResult(href, title, undefined) }];
    const scores = sections.map((section, index) => {
      const has = words.filter((word) => texts[index]?.includes(word) === true).length;
      return Math.min(nameScore(section.title, wanted), PART) || (has / words.length) * MENTION;
    });
    const score = Math.max(...scores);
    return [{ score: Math.max(score, MENTION), result: guideResult(href, title, sections[scores.indexOf(score)]) }];
  });
}

function guideResult(href: string, title: string, section: SearchedPage['sections'][number] | undefined): SearchLink {
  const hash = section === undefined || section.id === '' ? '' : `#${encodeURIComponent(section.id)}`;
  return { id: `guide ${href}`, kind: 'Guide', label: title, detail: section?.title ?? '', href: href + hash };
}

function searchEvents(events: SearchedData['events'], wanted: string): readonly Scored[] {
  return findScored(events, eventResult, ({ name }) => nameScore(name, wanted));
}

function searchWebhooks(webhooks: SearchedData['webhooks'], wanted: string): readonly Scored[] {
  return findScored(webhooks, webhookResult, ({ description, url }) =>
    Math.max(nameScore(description, wanted), nameScore(url, wanted)),
  );
}

/** True if the text may be the id of a request. Ids contain a digit, and words do not. */
function mayBeRequestId(text: string): boolean {
  return /^(?=.*\d)[\w.-]{8,128}$/.test(text) && !text.startsWith('tg_');
}

function scoredOperation({ operation, score, field }: FoundOperation): Scored {
  const { id, method, path, summary } = operation;
  const href = `/reference/${encodeURIComponent(id)}`;
  const name = `${method} ${path}`;
  const result =
    field === null
      ? {
          id: `operation ${id}`,
          kind: 'Operation',
          label: summary ?? name,
          detail: summary !== null ? name : id === name ? '' : id,
          href,
        }
      : {
          id: `field ${id}`,
          kind: 'Field',
          label: field,
          detail: name,
          href: `${href}?field=${encodeURIComponent(field)}`,
        };
  return { score, result };
}

function eventResult({ name, summary }: SearchedData['events'][number]): SearchLink {
  return {
    id: `event ${name}`,
    kind: 'Event',
    label: name,
    detail: summary,
    href: `/events/${encodeURIComponent(name)}`,
  };
}

function webhookResult({ id, url, description }: SearchedData['webhooks'][number]): SearchLink {
  const href = `/webhooks/${encodeURIComponent(id)}`;
  return { id: `webhook ${id}`, kind: 'Webhook', label: description || url, detail: description && url, href };
}

function requestResult(id: string): SearchLink {
  const href = `/requests?id=${encodeURIComponent(id)}`;
  return { id: `request ${id}`, kind: 'Request', label: id, detail: 'why it was refused', href };
}
