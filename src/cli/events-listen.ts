import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { LRUCache } from 'lru-cache';
import type { EventResponse } from './admin-api-types.ts';
import { type AdminApi, ApiError, connect, NotReached, type Query } from './admin-api.ts';
import type { ListPage } from './admin-list.ts';
import { createAdminCommand, type AdminCommandOptions } from './command.ts';
import type { Io } from './io.ts';
import { formatTime } from './output.ts';

interface Options extends AdminCommandOptions {
  readonly type?: string;
  readonly subject?: string;
}

const POLL_INTERVAL_MS = 1000;

export function createEventsListenCommand(io: Io): Command {
  return createAdminCommand(
    'listen',
    'Print events as they happen, until stopped (with --json, one document per line)',
    'events listen',
    'events listen --type key.banned --json',
  )
    .option('--type <type>', 'Filter by type, such as key.created')
    .option('--subject <id>', 'Filter by the id of a key, plan, operation or request')
    .action((options: Options) => listen(io, options));
}

/** Prints new events. Fails if the first call fails. After later failures, waits until the gateway responds again. */
async function listen(io: Io, { type, subject, json }: Options): Promise<void> {
  const feed = new EventFeed(connect(io), { type, subject });
  await feed.start();
  let isAway = false;
  while (await pause(io.ended)) {
    try {
      for (const event of await feed.poll()) io.out(json === true ? `${JSON.stringify(event)}\n` : formatLine(event));
      isAway = false;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (!isAway)
        io.err(`tollgate: ${error.message}\nStill listening. Missed events are printed when the gateway is back.\n`);
      isAway = true;
    }
  }
}

/** Waits for the next poll. @returns false if the command should end */
async function pause(ended: AbortSignal): Promise<boolean> {
  await sleep(POLL_INTERVAL_MS, undefined, { signal: ended }).catch(() => {});
  return !ended.aborted;
}

function isTemporary(error: unknown): error is Error {
  return error instanceof NotReached || (error instanceof ApiError && error.status >= 500);
}

function formatLine({ at, type, subject, owner, data }: EventResponse): string {
  return [formatTime(at), type, subject ?? '-', owner ?? '-', JSON.stringify(data)].join('  ') + '\n';
}

/** Number of events that every poll reads even if they are known. Every tenth poll reads more. */
const OVERLAP = 100;
const DEEP_OVERLAP = 1000;
const POLLS_PER_DEEP_POLL = 10;
/** Maximum number of new events that a poll returns. If there are more, the oldest are skipped. */
const MAX_NEW = 20_000;

/**
 * Finds events that are new since the last poll.
 *
 * Events are listed by number, but their transactions may commit in another order. So a new event may appear behind
 * known events. Every poll therefore reads past the first known event, and compares ids.
 */
export class EventFeed {
  readonly #api: AdminApi;
  readonly #filter: Query;
  readonly #known = new LRUCache<string, true>({ max: MAX_NEW + 2 * DEEP_OVERLAP });
  #polls = 0;

  constructor(api: AdminApi, filter: Query) {
    this.#api = api;
    this.#filter = filter;
  }

  /** Marks existing events as known. */
  async start(): Promise<void> {
    const { items } = await this.#page(DEEP_OVERLAP);
    for (const { id } of items) this.#known.set(id, true);
  }

  /** @returns new events, oldest first; after a failure, the next poll finds the same events */
  async poll(): Promise<EventResponse[]> {
    const size = ++this.#polls % POLLS_PER_DEEP_POLL === 0 ? DEEP_OVERLAP : OVERLAP;
    const found = new Map<string, EventResponse>();
    let cursor: string | null | undefined;
    let before: number;
    do {
      before = found.size;
      const page: ListPage<EventResponse> = await this.#page(size, cursor ?? undefined);
      for (const event of page.items) if (!this.#known.has(event.id)) found.set(event.id, event);
      cursor = page.nextCursor;
    } while (cursor !== null && found.size > before && found.size < MAX_NEW);
    for (const id of found.keys()) this.#known.set(id, true);
    return [...found.values()].toReversed();
  }

  async #page(limit: number, cursor?: string): Promise<ListPage<EventResponse>> {
    return (
      await this.#api.call<ListPage<EventResponse>>('GET', '/events', { query: { ...this.#filter, limit, cursor } })
    ).body;
  }
}
