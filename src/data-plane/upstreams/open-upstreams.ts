import type { EventSource, EventTypeInfo } from '../../openapi/event-type.ts';
import { StartError } from '../../base/start-error.ts';
import { waitAtMost } from '../../base/waiting/wait-at-most.ts';
import type { Config } from '../../config/load.ts';
import type { ServiceEvents } from '../../control-plane/events/service-events.ts';
import type { StartContext } from '../../start-context.ts';
import type { Route, Upstream } from './upstream.ts';
import { isSameService, openUpstream, type OpenUpstream, type UpstreamSettings } from './open-upstream.ts';

type Context = Pick<StartContext, 'config' | 'logger' | 'shutdown'>;

/** An upstream as a configuration has it, which may be another one than it was opened with. */
interface Used {
  readonly settings: UpstreamSettings;
  readonly opened: OpenUpstream;
}

/** With the time to open them, this stays below the 30 s that the command waits for an answer. */
const DISCARD_WITHIN_MS = 5000;
/**
 * How long a stop waits for an upstream beyond the deadline: it is others’ code, and may never close. What it published
 * last has a second of that.
 */
const CLOSE_WITHIN_MS = 2000;

/** The upstreams of a configuration, open, but not in use yet. */
export interface PreparedUpstreams {
  readonly routes: readonly Route[];
  /**
   * Puts them in place of the present ones.
   *
   * @returns to be called once the last request to those is over: closes each that nothing else uses. Never rejects
   */
  use(): () => Promise<void>;
  /** Closes what was opened for them; waits for that, but not for long. Never rejects. */
  discard(): Promise<void>;
}

/** The upstreams in use: exchanged as a whole. */
export class Upstreams {
  readonly #context: Context;
  readonly #events: ServiceEvents;
  #used: readonly Used[] = [];
  #routes: readonly Route[] = [];
  #eventTypes: readonly EventTypeInfo[] = [];
  /** Those that are not closed yet. */
  readonly #open = new Set<OpenUpstream>();
  #isClosed = false;

  constructor(context: Context, events: ServiceEvents) {
    this.#context = context;
    this.#events = events;
    context.shutdown.add('upstreams', (remainingMs) => this.#closeAll(Math.max(CLOSE_WITHIN_MS, remainingMs)));
  }

  /** Where the requests of each operation go. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** The events that they may publish. */
  get eventTypes(): readonly EventTypeInfo[] {
    return this.#eventTypes;
  }

  get all(): readonly Upstream[] {
    return this.#used.map(({ opened }) => opened.upstream);
  }

  /**
   * Opens every upstream of a configuration. One that is in use with the same settings goes on, whatever has changed
   * in its document.
   *
   * @param withinMs for all of them together; null: for as long as it takes
   * @throws StartError if a module cannot be loaded or does not start (in time), or a file cannot be used
   */
  async prepare(config: Config, withinMs: number | null = null): Promise<PreparedUpstreams> {
    const giveUpAt = performance.now() + (withinMs ?? 0);
    const added: OpenUpstream[] = [];
    const prepared: Used[] = [];
    const discard = () => this.#discard(added);
    // A module may publish as soon as it is created.
    this.#describe(config.upstreams);
    try {
      for (const settings of config.upstreams) {
        const same = this.#used.find((one) => isSameService(one.settings, settings));
        const leftMs = withinMs === null ? null : Math.max(0, giveUpAt - performance.now());
        const opened = same?.opened ?? (await this.#openWithin(leftMs, settings));
        if (same === undefined) added.push(opened);
        prepared.push({ settings, opened });
      }
    } catch (error) {
      await discard();
      throw error;
    }
    const routes = prepared.flatMap((used) => routesOf(used, config.edge.maxBody));
    return { routes, discard, use: () => this.#use(prepared, routes) };
  }

  #use(prepared: readonly Used[], routes: readonly Route[]): () => Promise<void> {
    const before = this.#used.map(({ opened }) => opened);
    for (const { opened } of prepared) opened.users++;
    this.#used = prepared;
    this.#routes = routes;
    this.#eventTypes = prepared.flatMap(eventTypesOf);
    this.#describe();
    return () => {
      for (const opened of before) opened.users--;
      return this.#closeUnused(before.filter(({ users }) => users === 0));
    };
  }

  async #openWithin(limitMs: number | null, settings: UpstreamSettings): Promise<OpenUpstream> {
    const opening = this.#openOne(settings);
    if (limitMs === null || (await waitAtMost(limitMs, opening))) return opening;
    opening.then(
      (late) => this.#closeUnused([late]),
      () => undefined,
    );
    throw new StartError(`upstream ${settings.name} did not start in time: see what it waits for, then reload again`);
  }

  async #openOne(settings: UpstreamSettings): Promise<OpenUpstream> {
    const { config, logger } = this.#context;
    const opened = await openUpstream(settings, config, this.#events, logger.child({ upstream: settings.name }));
    this.#open.add(opened);
    if (!this.#isClosed) return opened;
    await this.#closeUnused([opened]);
    throw new StartError(`upstream ${settings.name} was not needed any more when it had started: the gateway stops`);
  }

  /** Sets who may publish: all that are open, as the configuration in force has them or one that is about to be. */
  #describe(next: readonly UpstreamSettings[] = []): void {
    const settings = [...this.#open, ...this.#used, ...next.map((one) => ({ settings: one }))];
    this.#events.describe(settings.map(eventSource));
  }

  async #discard(added: readonly OpenUpstream[]): Promise<void> {
    if (!(await waitAtMost(DISCARD_WITHIN_MS, this.#closeUnused(added)))) {
      this.#context.logger.warn('an upstream that is not used takes long to close');
    }
    this.#describe();
  }

  /** Closes all of them at once; the log says what could not be. */
  async #closeUnused(some: readonly OpenUpstream[]): Promise<void> {
    const close = async (opened: OpenUpstream) => {
      try {
        await opened.close();
      } catch (error) {
        opened.logger.error({ err: error }, 'an upstream that is not used could not be closed');
      }
      this.#open.delete(opened);
    };
    await Promise.all(some.map(close));
    this.#describe();
  }

  /** Closes whatever is open, all at once, even where one fails. Rejects with what failed, or took too long. */
  async #closeAll(limitMs: number): Promise<void> {
    this.#isClosed = true;
    const results = await Promise.allSettled([...this.#open].map((opened) => closeInTime(opened, limitMs)));
    this.#open.clear();
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, 'an upstream could not be closed');
  }
}

async function closeInTime(opened: OpenUpstream, limitMs: number): Promise<void> {
  if (await waitAtMost(limitMs, Promise.resolve(opened.close()))) return;
  throw new Error(`upstream ${opened.upstream.name} did not close in time`);
}

function eventSource({ settings: { name, document } }: Pick<Used, 'settings'>): EventSource {
  return { name, eventTypes: document.eventTypes };
}

function eventTypesOf({ settings: { name: source, document } }: Used): EventTypeInfo[] {
  return document.eventTypes.map(({ name, summary, audience }) => ({ name, source, summary, audience }));
}

function routesOf({ settings, opened: { upstream } }: Used, ofEdge: number): Route[] {
  const { document, maxBody, prefix = '' } = settings;
  return document.operations.map((operation) => ({
    operation,
    upstream,
    prefix,
    maxBodyBytes: operation.maxBodyBytes ?? maxBody ?? ofEdge,
  }));
}
