import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Config, HttpUpstreamSettings, ModuleUpstreamSettings } from '../config/load.ts';
import { Publisher } from '../events/services/publisher.ts';
import type { EventSource, ServiceEvents } from '../events/services/service-events.ts';
import type { StartContext } from '../start-context.ts';
import { createHttpUpstream } from '../upstreams/http/http-upstream.ts';
import { loadInProcess } from '../upstreams/in-process.ts';
import type { Route, Upstream } from '../upstreams/upstream.ts';
import type { EventTypeInfo } from '../webhooks/event-types.ts';

type Context = Pick<StartContext, 'config' | 'logger' | 'shutdown'>;
type Settings = Config['upstreams'][number];

/** An upstream that is open, and what it was opened with. */
interface Opened {
  readonly settings: Settings;
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly close: () => Promise<void>;
}

/** The upstreams of a configuration, open, but not in use yet. */
export interface PreparedUpstreams {
  readonly routes: readonly Route[];
  /** Puts them in place of the present ones. @returns closes those that are not used any more */
  use(): () => Promise<void>;
  /** Closes what was opened for them. */
  discard(): Promise<void>;
}

/** The upstreams in use: exchanged as a whole. */
export class Upstreams {
  readonly #context: Context;
  readonly #events: ServiceEvents;
  #used: readonly Opened[] = [];
  #routes: readonly Route[] = [];
  #eventTypes: readonly EventTypeInfo[] = [];
  /** In use, or until the last of their requests is over. */
  readonly #open = new Set<Opened>();

  constructor(context: Context, events: ServiceEvents) {
    this.#context = context;
    this.#events = events;
    context.shutdown.add('upstreams', () => this.#closeAll(this.#open));
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
    return this.#used.map(({ upstream }) => upstream);
  }

  /**
   * Opens every upstream of a configuration. One that is in use with the same settings goes on, whatever has changed
   * in its document.
   *
   * @throws StartError if a module cannot be loaded or does not start, or a file cannot be used
   */
  async prepare(config: Config): Promise<PreparedUpstreams> {
    const added: Opened[] = [];
    const discard = () => {
      this.#events.describe(this.#used.map(eventSource));
      return this.#closeAll(added);
    };
    const prepared: Opened[] = [];
    // A module may publish as soon as it is created.
    this.#events.describe([...this.#used, ...config.upstreams.map((settings) => ({ settings }))].map(eventSource));
    try {
      for (const settings of config.upstreams) {
        const same = this.#used.find((one) => isSameService(one.settings, settings));
        if (same === undefined) added.push(await this.#openOne(settings));
        prepared.push(same === undefined ? (added.at(-1) as Opened) : { ...same, settings });
      }
    } catch (error) {
      await discard();
      throw error;
    }
    const routes = prepared.flatMap((opened) => routesOf(opened, config.edge.maxBody));
    return { routes, discard, use: () => this.#use(prepared, routes) };
  }

  /** For lines that are logged from now on. */
  setLogLevel(level: string): void {
    for (const { logger } of this.#open) logger.level = level;
  }

  #use(prepared: readonly Opened[], routes: readonly Route[]): () => Promise<void> {
    const upstreams = new Set(prepared.map(({ upstream }) => upstream));
    const unused = [...this.#open].filter(({ upstream }) => !upstreams.has(upstream));
    this.#used = prepared;
    this.#routes = routes;
    this.#eventTypes = prepared.flatMap(eventTypesOf);
    this.#events.describe(prepared.map(eventSource));
    return () => this.#closeAll(unused);
  }

  async #openOne(settings: Settings): Promise<Opened> {
    const logger = this.#context.logger.child({ upstream: settings.name });
    const opened = 'module' in settings ? await this.#openModule(settings, logger) : openHttp(settings, logger);
    this.#open.add(opened);
    return opened;
  }

  async #openModule(settings: ModuleUpstreamSettings, logger: Logger): Promise<Opened> {
    const { name, module, options, document } = settings;
    const publisher = new Publisher(this.#events, name);
    const { publish, publishAll } = publisher;
    const { dataDir, demo } = this.#context.config;
    const context = { dataDir, openapi: document.value, demo, logger, publish, publishAll };
    const upstream = await loadInProcess(name, module, options, context);
    // A module may publish until it is closed.
    const close = () => upstream.close().finally(() => publisher.close());
    return { settings, upstream, logger, close };
  }

  /** Closes all of them, even where one fails; once. Rejects with what failed first. */
  async #closeAll(some: Iterable<Opened>): Promise<void> {
    const closing = new AsyncDisposableStack();
    for (const opened of some) {
      if (this.#open.delete(opened)) closing.defer(opened.close);
    }
    await closing.disposeAsync();
  }
}

function openHttp(settings: HttpUpstreamSettings, logger: Logger): Opened {
  const upstream = createHttpUpstream(settings, logger);
  return { settings, upstream, logger, close: () => upstream.close() };
}

function eventSource({ settings: { name, document } }: Pick<Opened, 'settings'>): EventSource {
  return { name, eventTypes: document.eventTypes };
}

function eventTypesOf({ settings: { name: source, document } }: Opened): EventTypeInfo[] {
  return document.eventTypes.map(({ name, summary, audience }) => ({ name, source, summary, audience }));
}

/** Whether one can go on as the other: what matters to the gateway alone may differ. */
function isSameService(one: Settings, other: Settings): boolean {
  return isDeepStrictEqual(serviceOf(one), serviceOf(other));
}

function serviceOf({
  document: _document,
  openapi: _openapi,
  prefix: _prefix,
  maxBody: _maxBody,
  ...service
}: Settings) {
  return service;
}

function routesOf({ settings: { document, maxBody, prefix = '' }, upstream }: Opened, ofEdge: number): Route[] {
  return document.operations.map((operation) => ({
    operation,
    upstream,
    prefix,
    maxBodyBytes: operation.maxBodyBytes ?? maxBody ?? ofEdge,
  }));
}
