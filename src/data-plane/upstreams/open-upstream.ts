import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Config, HttpUpstreamSettings, ModuleUpstreamSettings } from '../../config/load.ts';
import { Publisher } from './in-process/publisher.ts';
import type { ServiceEvents } from '../../control-plane/events/service-events.ts';
import { loadInProcess } from './in-process/in-process-upstream.ts';
import type { Upstream } from './upstream.ts';

export type UpstreamSettings = Config['upstreams'][number];

/** An upstream that is open: until the last request of the last configuration that uses it is over. */
export class OpenUpstream {
  /** What it was opened with. */
  readonly settings: UpstreamSettings;
  readonly upstream: Upstream;
  readonly logger: Logger;
  /** Configurations that use it: the one in force, and those before it that still have requests. */
  users = 0;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | null = null;

  constructor(settings: UpstreamSettings, upstream: Upstream, logger: Logger, close: () => Promise<void>) {
    this.settings = settings;
    this.upstream = upstream;
    this.logger = logger;
    this.#close = close;
  }

  /** Further calls wait for the same end. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }
}

/** @throws StartError if a module cannot be loaded or does not start, or a file cannot be used */
export async function openUpstream(
  settings: UpstreamSettings,
  config: Pick<Config, 'dataDir' | 'demo'>,
  events: ServiceEvents,
  logger: Logger,
): Promise<OpenUpstream> {
  return 'module' in settings ? openModule(settings, config, events, logger) : openHttp(settings, logger);
}

async function openModule(
  settings: ModuleUpstreamSettings,
  { dataDir, demo }: Pick<Config, 'dataDir' | 'demo'>,
  events: ServiceEvents,
  logger: Logger,
): Promise<OpenUpstream> {
  const { name, module, document } = settings;
  const publisher = new Publisher(events, name);
  const { publish, publishAll } = publisher;
  // Copies: a module may change what it gets, and the next reload compares these with what it reads.
  const [options, openapi] = structuredClone([settings.options, document.value] as const);
  const context = { dataDir, openapi, demo, logger, publish, publishAll };
  const upstream = await loadInProcess(name, module, options, context);
  // A module may publish until it is closed.
  const close = () => upstream.close().finally(() => publisher.close());
  return new OpenUpstream(settings, upstream, logger, close);
}

/** What speaks HTTP is loaded only where it is needed: a start is quick. */
async function openHttp(settings: HttpUpstreamSettings, logger: Logger): Promise<OpenUpstream> {
  const { createHttpUpstream } = await import('./http/http-upstream.ts');
  const upstream = createHttpUpstream(settings, logger);
  return new OpenUpstream(settings, upstream, logger, () => upstream.close());
}

/** Whether one can go on as the other: what matters to the gateway alone may differ. */
export function isSameService(one: UpstreamSettings, other: UpstreamSettings): boolean {
  return isDeepStrictEqual(serviceOf(one), serviceOf(other));
}

function serviceOf({
  document: _document,
  openapi: _openapi,
  prefix: _prefix,
  maxBody: _maxBody,
  ...service
}: UpstreamSettings) {
  return service;
}
