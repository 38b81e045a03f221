import { LRUCache } from 'lru-cache';
import type { EventAnswer } from './answers.ts';
import type { AdminApi, Query } from './api.ts';
import type { Listed } from './read-pages.ts';

/** Events read again at each look, and at every tenth. */
const OVERLAP = 100;
const DEEP_OVERLAP = 1000;
const LOOKS_TO_DEEP = 10;
/** New ones at one look, at most: of more, the oldest are left out. */
const MAX_NEW = 20_000;

/**
 * The events that are new since the last look.
 *
 * The list is in the order in which events were numbered, which is not the order in which their transactions ended: one
 * may turn up behind others that are known. So every look reads further than to the first event that is known, and goes
 * by ids.
 */
export class EventFeed {
  readonly #api: AdminApi;
  readonly #filter: Query;
  readonly #known = new LRUCache<string, true>({ max: MAX_NEW + 2 * DEEP_OVERLAP });
  #looks = 0;

  constructor(api: AdminApi, filter: Query) {
    this.#api = api;
    this.#filter = filter;
  }

  /** What is there already is not new. */
  async begin(): Promise<void> {
    const { items } = await this.#page(DEEP_OVERLAP);
    for (const { id } of items) this.#known.set(id, true);
  }

  /** @returns oldest first; if it fails, the next look finds the same */
  async look(): Promise<EventAnswer[]> {
    const size = ++this.#looks % LOOKS_TO_DEEP === 0 ? DEEP_OVERLAP : OVERLAP;
    const found = new Map<string, EventAnswer>();
    let cursor: string | null | undefined;
    let before: number;
    do {
      before = found.size;
      const page: Listed<EventAnswer> = await this.#page(size, cursor ?? undefined);
      for (const event of page.items) if (!this.#known.has(event.id)) found.set(event.id, event);
      cursor = page.nextCursor;
    } while (cursor !== null && found.size > before && found.size < MAX_NEW);
    for (const id of found.keys()) this.#known.set(id, true);
    return [...found.values()].toReversed();
  }

  async #page(limit: number, cursor?: string): Promise<Listed<EventAnswer>> {
    return (await this.#api.call<Listed<EventAnswer>>('GET', '/events', { query: { ...this.#filter, limit, cursor } }))
      .body;
  }
}
