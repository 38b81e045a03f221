import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { waitAtMost } from '../../base/awaitable.ts';
import { StartError } from '../../base/error-types.ts';
import type { HttpUpstreamOptions } from './http/http-upstream.ts';
import { loadInProcess } from './in-process/in-process-upstream.ts';
import { type EventPublisher, Publisher } from './in-process/publisher.ts';
import { type Route, sumConnections, type Upstream, type UpstreamConnections } from './upstream.ts';
import type { EventSource, EventTypeInfo } from '../../openapi/event-type.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { readRequiredScopes, type RequiredScopes, type ScopesMode } from '../../openapi/required-scopes.ts';
import type { UpstreamDocument } from '../../openapi/upstream-document.ts';
import type { ValidationMode } from '../../domain/validation-mode.ts';
import { type OpenedValidation, openValidation } from '../validation/open-validation.ts';

/** An open upstream with its current settings. It may have been opened with earlier settings. */
interface UpstreamInUse {
  readonly settings: UpstreamConfig;
  readonly opened: OpenUpstream;
  /** Null: no request is compared with the document. */
  readonly checks: OpenedValidation | null;
  /** Null: the scopes of access tokens are ignored. */
  readonly requiredScopes: ReadonlyMap<Operation, RequiredScopes> | null;
}

/**
 * How long `discard` waits. A reload command waits 30 s for opening the upstreams and discarding them.
 */
const DISCARD_WITHIN_MS = 5000;
/**
 * Minimum time that an upstream gets for closing when the gateway stops, even after the drain's deadline. Writing its
 * last events may take up to a second. There is a limit, because a module may never finish closing.
 */
const CLOSE_WITHIN_MS = 2000;

/** The upstreams of a new configuration. They are open, but not in use yet. */
interface PreparedUpstreams {
  readonly routes: readonly Route[];
  /** Sentences that say which requests or parts of requests are not checked. */
  readonly warnings: readonly string[];
  /**
   * Replaces the upstreams in use.
   *
   * @returns a function that closes the old upstreams that are no longer used; call it after the last request to the old
   * upstreams has ended. It never rejects
   */
  use(): () => Promise<void>;
  /**
   * Closes the upstreams that were opened for this configuration. Waits at most `DISCARD_WITHIN_MS`. Never rejects.
   */
  discard(): Promise<void>;
}

/** The upstreams in use. They are replaced as a whole. */
export class Upstreams {
  readonly #environment: ModuleEnvironment;
  readonly #events: EventPublisher;
  readonly #logger: Logger;
  #inUse: readonly UpstreamInUse[] = [];
  #routes: readonly Route[] = [];
  #eventTypes: readonly EventTypeInfo[] = [];
  /** Upstreams that are not closed yet. */
  readonly #open = new Set<OpenUpstream>();
  #isClosed = false;

  constructor(environment: ModuleEnvironment, events: EventPublisher, logger: Logger) {
    this.#environment = environment;
    this.#events = events;
    this.#logger = logger;
  }

  /** The upstream of each operation. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** The event types that the upstreams may publish. */
  get eventTypes(): readonly EventTypeInfo[] {
    return this.#eventTypes;
  }

  get all(): readonly Upstream[] {
    return this.#inUse.map(({ opened }) => opened.upstream);
  }

  /**
   * Numbers of connections to services over HTTP, by upstream. Upstreams that a reload has removed are included as long
   * as event streams use them.
   */
  get connections(): ReadonlyMap<string, UpstreamConnections> {
    const byName = Map.groupBy(this.#open, ({ upstream }) => upstream.name);
    const counts = Array.from(byName, ([name, opened]) => {
      const all = opened.flatMap(({ upstream }) => upstream.connections?.() ?? []);
      return all.length === 0 ? [] : ([[name, sumConnections(all)]] as const);
    });
    return new Map(counts.flat());
  }

  /**
   * Opens every upstream of a configuration. An upstream that is already in use with the same service settings keeps
   * running, even if its document has changed.
   *
   * @param maxBodyBytes maximum size of a body, unless the upstream or the operation sets another one
   * @param withinMs time limit for opening all of them together; null: no limit
   * @throws StartError if a module cannot be loaded or does not start (in time), or a file cannot be used
   */
  async prepare(
    upstreams: readonly UpstreamConfig[],
    maxBodyBytes: number,
    withinMs: number | null = null,
  ): Promise<PreparedUpstreams> {
    const giveUpAt = performance.now() + (withinMs ?? 0);
    const added: OpenUpstream[] = [];
    const prepared: UpstreamInUse[] = [];
    const discard = () => this.#discard(added);
    // A module may publish as soon as it is created, so its events must be declared before that.
    this.#describe(upstreams);
    try {
      for (const settings of upstreams) {
        const sameService = this.#inUse.find((candidate) => isSameService(candidate.settings, settings));
        const leftMs = withinMs === null ? null : Math.max(0, giveUpAt - performance.now());
        const opened = sameService?.opened ?? (await this.#openWithin(leftMs, settings));
        if (sameService === undefined) added.push(opened);
        const known = this.#inUse.find(({ checks }) => checks?.validation.isFor(settings) === true)?.checks;
        const checks = known ?? (await openValidation(settings));
        const requiredScopes = this.#findRequiredScopes(settings);
        prepared.push({ settings, opened, checks, requiredScopes });
      }
    } catch (error) {
      await discard();
      throw error;
    }
    const createdRoutes = prepared.flatMap((used) => createRoutes(used, maxBodyBytes, this.#createHold(used.opened)));
    // If no route has changed, the old list is kept, so that everything built from it stays valid.
    const routes = areSameRoutes(createdRoutes, this.#routes) ? this.#routes : createdRoutes;
    const warnings = prepared.flatMap(({ checks }) => checks?.warnings ?? []);
    return { routes, warnings, discard, use: () => this.#use(prepared, routes) };
  }

  /** The scopes that the operations of an upstream require; null if they are not enforced. */
  #findRequiredScopes({ scopes, document }: UpstreamConfig): UpstreamInUse['requiredScopes'] {
    if (scopes !== 'enforce') return null;
    const same = this.#inUse.find((used) => used.settings.document === document && used.requiredScopes !== null);
    return same?.requiredScopes ?? readRequiredScopes(document);
  }

  #use(prepared: readonly UpstreamInUse[], routes: readonly Route[]): () => Promise<void> {
    const before = this.#inUse.map(({ opened }) => opened);
    for (const { opened } of prepared) opened.users++;
    this.#inUse = prepared;
    this.#routes = routes;
    this.#eventTypes = prepared.flatMap(listEventTypes);
    this.#describe();
    return () => {
      for (const opened of before) opened.users--;
      return this.#closeUnused(before.filter(({ users }) => users === 0));
    };
  }

  /**
   * Creates the `hold` of routes. The function refers only to the open upstream, so that an event stream does not keep
   * the documents of an old configuration in memory.
   */
  #createHold(opened: OpenUpstream): Route['hold'] {
    const release = () => {
      opened.users--;
      if (opened.users === 0) void this.#closeUnused([opened]);
    };
    return () => {
      opened.users++;
      return release;
    };
  }

  async #openWithin(limitMs: number | null, settings: UpstreamConfig): Promise<OpenUpstream> {
    const opening = this.#openOne(settings);
    if (limitMs === null || (await waitAtMost(limitMs, opening))) return opening;
    opening.then(
      (lateUpstream) => this.#closeUnused([lateUpstream]),
      () => undefined,
    );
    throw new StartError(
      `upstream ${settings.name} did not start in time: find out what it waits for, then reload again`,
    );
  }

  async #openOne(settings: UpstreamConfig): Promise<OpenUpstream> {
    const logger = this.#logger.child({ upstream: settings.name });
    const opened = await openUpstream(settings, this.#environment, this.#events, logger);
    this.#open.add(opened);
    if (!this.#isClosed) return opened;
    await this.#closeUnused([opened]);
    throw new StartError(`upstream ${settings.name} was discarded after its start: the gateway is shutting down`);
  }

  /**
   * Declares which events may be published: the events of all open upstreams, of the current configuration, and of the
   * configuration that is about to replace it.
   */
  #describe(next: readonly UpstreamConfig[] = []): void {
    const settings = [...this.#open, ...this.#inUse, ...next.map((config) => ({ settings: config }))];
    this.#events.setEventTypes(settings.map(toEventSource));
  }

  async #discard(added: readonly OpenUpstream[]): Promise<void> {
    if (!(await waitAtMost(DISCARD_WITHIN_MS, this.#closeUnused(added)))) {
      this.#logger.warn('a removed upstream takes long to close');
    }
    this.#describe();
  }

  /** Closes these upstreams concurrently, and logs failures. */
  async #closeUnused(upstreams: readonly OpenUpstream[]): Promise<void> {
    const close = async (opened: OpenUpstream) => {
      try {
        await opened.close();
      } catch (error) {
        opened.logger.error({ err: error }, 'a removed upstream could not be closed');
      }
      this.#open.delete(opened);
    };
    await Promise.all(upstreams.map(close));
    this.#describe();
  }

  /**
   * Closes all open upstreams concurrently, even if one fails. Rejects with the failures and timeouts.
   *
   * @param remainingMs time left until the drain's deadline
   */
  async close(remainingMs: number): Promise<void> {
    this.#isClosed = true;
    const limitMs = Math.max(CLOSE_WITHIN_MS, remainingMs);
    const results = await Promise.allSettled([...this.#open].map((opened) => closeInTime(opened, limitMs)));
    this.#open.clear();
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, 'an upstream could not be closed');
  }
}

function areSameRoutes(some: readonly Route[], others: readonly Route[]): boolean {
  return some.length === others.length && some.every((route, index) => isSameRoute(route, others[index]));
}

/** Compares every field except `hold`, because each route has a new function there. */
function isSameRoute({ hold: _, ...fields }: Route, other: Route | undefined): boolean {
  return Object.entries(fields).every(([name, value]) => value === other?.[name as keyof typeof fields]);
}

async function closeInTime(opened: OpenUpstream, limitMs: number): Promise<void> {
  if (await waitAtMost(limitMs, Promise.resolve(opened.close()))) return;
  throw new Error(`upstream ${opened.upstream.name} did not close in time`);
}

function toEventSource({ settings: { name, document } }: Pick<UpstreamInUse, 'settings'>): EventSource {
  return { name, eventTypes: document.eventTypes };
}

function listEventTypes({ settings: { name: source, document } }: UpstreamInUse): EventTypeInfo[] {
  return document.eventTypes.map(({ name, summary, audience }) => ({ name, source, summary, audience }));
}

function createRoutes(
  { settings, opened: { upstream }, checks, requiredScopes }: UpstreamInUse,
  defaultMaxBodyBytes: number,
  hold: Route['hold'],
): Route[] {
  const { document, maxBody, prefix = '', encodedSlashes = 'refuse' } = settings;
  return document.operations.map((operation) => ({
    operation,
    upstream,
    hold,
    prefix,
    maxBodyBytes: operation.maxBodyBytes ?? maxBody ?? defaultMaxBodyBytes,
    encodedSlashes,
    validation: checks === null ? null : checks.validation.find(operation),
    requiredScopes: requiredScopes?.get(operation) ?? null,
  }));
}

/** An upstream in the configuration: a service, and how the gateway uses it. */
export interface UpstreamConfig {
  readonly name: string;
  /**
   * The settings that open the service. If one of them changes, a reload opens the service again. A running module
   * cannot be opened again, so it needs a restart.
   */
  readonly service: ModuleService | HttpService;
  /** File of the document. */
  readonly openapi: string;
  readonly document: UpstreamDocument;
  readonly prefix?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly events?: boolean | undefined;
  readonly encodedSlashes?: 'refuse' | 'pass' | undefined;
  /** In bytes; undefined: the limit of the edge. */
  readonly maxBody?: number | undefined;
  readonly validation?: ValidationMode | undefined;
  readonly scopes?: ScopesMode | undefined;
  /** File of the next version of the document, and that document; requests are only compared with it. */
  readonly candidate?: string | undefined;
  readonly candidateDocument?: UpstreamDocument | null;
}

/** A service in this process. */
interface ModuleService {
  /** File of the module, as an absolute path. */
  readonly module: string;
  readonly options: Record<string, unknown>;
}

/** A service that is reached over HTTP. */
interface HttpService extends Omit<HttpUpstreamOptions, 'name'> {
  /** Content of the file `tls.ca`, so that a reload detects a change; null if there is none. */
  readonly authorities: string | null;
}

/** The environment that the gateway gives to modules. */
interface ModuleEnvironment {
  /** Directory for the files of modules, as an absolute path. */
  readonly dataDir: string;
  /** Whether to fill an empty store with sample data. */
  readonly demo: boolean;
}

/** An open upstream. It stays open until the last request, event stream or tunnel that uses it has ended. */
class OpenUpstream {
  /** The settings with which it was opened. */
  readonly settings: UpstreamConfig;
  readonly upstream: Upstream;
  readonly logger: Logger;
  /**
   * Number of users: configurations (the current one, and earlier ones that still have requests), event streams and
   * tunnels.
   */
  users = 0;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | null = null;

  constructor(settings: UpstreamConfig, upstream: Upstream, logger: Logger, close: () => Promise<void>) {
    this.settings = settings;
    this.upstream = upstream;
    this.logger = logger;
    this.#close = close;
  }

  /** Further calls wait for the same result. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }
}

/** @throws StartError if a module cannot be loaded or does not start, or a file cannot be used */
async function openUpstream(
  settings: UpstreamConfig,
  environment: ModuleEnvironment,
  events: EventPublisher,
  logger: Logger,
): Promise<OpenUpstream> {
  const { service } = settings;
  return 'module' in service
    ? openModuleUpstream(settings, service, environment, events, logger)
    : openHttpUpstream(settings, service, logger);
}

async function openModuleUpstream(
  settings: UpstreamConfig,
  { module, options: configuredOptions }: ModuleService,
  { dataDir, demo }: ModuleEnvironment,
  events: EventPublisher,
  logger: Logger,
): Promise<OpenUpstream> {
  const { name, document } = settings;
  const publisher = new Publisher(events, name);
  const { publish, publishAll } = publisher;
  // The module gets copies. It may change its options, but the next reload must compare the original options with the
  // file.
  const [options, openapi] = structuredClone([configuredOptions, document.value] as const);
  const context = { dataDir, openapi, demo, logger, publish, publishAll };
  const upstream = await loadInProcess(name, module, options, context);
  // A module may publish until it is closed.
  const close = () => upstream.close().finally(() => publisher.close());
  return new OpenUpstream(settings, upstream, logger, close);
}

/** The HTTP code is loaded only if it is used, to keep the start fast. */
async function openHttpUpstream(settings: UpstreamConfig, service: HttpService, logger: Logger): Promise<OpenUpstream> {
  const { createHttpUpstream } = await import('./http/http-upstream.ts');
  const upstream = createHttpUpstream({ name: settings.name, ...service }, logger);
  return new OpenUpstream(settings, upstream, logger, () => upstream.close());
}

/**
 * Whether an open upstream can be used with other settings. Only the settings of the service itself must be the same.
 */
function isSameService(one: UpstreamConfig, other: UpstreamConfig): boolean {
  return one.name === other.name && isDeepStrictEqual(one.service, other.service);
}
