import type { Config } from '../config/load.ts';
import { Publisher } from '../events/services/publisher.ts';
import type { ServiceEvents } from '../events/services/service-events.ts';
import type { StartContext } from '../start-context.ts';
import { createHttpUpstream } from '../upstreams/http/http-upstream.ts';
import { loadInProcess } from '../upstreams/in-process.ts';
import type { Route, Upstream } from '../upstreams/upstream.ts';

type Context = Pick<StartContext, 'config' | 'logger' | 'shutdown'>;

/**
 * Opens every upstream of the configuration.
 *
 * @returns where the requests of each of their operations go
 * @throws StartError if a module cannot be loaded or does not start
 */
export async function openUpstreams(context: Context, events: ServiceEvents): Promise<Route[]> {
  const { config, shutdown } = context;
  const routes: Route[] = [];
  for (const settings of config.upstreams) {
    const upstream = await openUpstream(context, settings, events);
    shutdown.add('upstreams', () => upstream.close());
    for (const operation of settings.document.operations) {
      const maxBodyBytes = operation.maxBodyBytes ?? settings.maxBody ?? config.edge.maxBody;
      routes.push({ operation, upstream, prefix: settings.prefix ?? '', maxBodyBytes });
    }
  }
  return routes;
}

async function openUpstream(
  { config: { dataDir, demo }, logger: log, shutdown }: Context,
  settings: Config['upstreams'][number],
  events: ServiceEvents,
): Promise<Upstream> {
  const logger = log.child({ upstream: settings.name });
  if (!('module' in settings)) return createHttpUpstream(settings, logger);
  const { name, module, options, document } = settings;
  const publisher = new Publisher(events, name);
  // Before the module's own, and so closed after it: a module may publish until it is closed.
  shutdown.add('upstreams', () => publisher.close());
  const { publish, publishAll } = publisher;
  return loadInProcess(name, module, options, { dataDir, openapi: document.value, demo, logger, publish, publishAll });
}
