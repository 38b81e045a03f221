import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { Publisher } from '../events/services/publisher.ts';
import type { ServiceEvents } from '../events/services/service-events.ts';
import type { StartContext } from '../start-context.ts';
import { createHttpUpstream } from '../upstreams/http/http-upstream.ts';
import { loadInProcess } from '../upstreams/in-process.ts';
import type { Route, Upstream } from '../upstreams/upstream.ts';

/**
 * Opens every upstream of the configuration.
 *
 * @returns where the requests of each of their operations go
 * @throws StartError if a module cannot be loaded or does not start
 */
export async function openUpstreams(
  { config, logger, shutdown }: Pick<StartContext, 'config' | 'logger' | 'shutdown'>,
  events: ServiceEvents,
): Promise<Route[]> {
  const routes: Route[] = [];
  for (const settings of config.upstreams) {
    const publisher = new Publisher(events, settings.name);
    // Closed after its upstream, which may publish until then.
    shutdown.add('upstreams', () => publisher.close());
    const upstream = await openUpstream(config, settings, logger.child({ upstream: settings.name }), publisher);
    shutdown.add('upstreams', () => upstream.close());
    for (const operation of settings.document.operations) {
      const maxBodyBytes = operation.maxBodyBytes ?? settings.maxBody ?? config.edge.maxBody;
      routes.push({ operation, upstream, prefix: settings.prefix ?? '', maxBodyBytes });
    }
  }
  return routes;
}

async function openUpstream(
  { dataDir, demo }: Config,
  settings: Config['upstreams'][number],
  logger: Logger,
  { publish, publishAll }: Publisher,
): Promise<Upstream> {
  if (!('module' in settings)) return createHttpUpstream(settings, logger);
  const { name, module, options, document } = settings;
  const context = { dataDir, openapi: document.value, demo, logger, publish, publishAll };
  return loadInProcess(name, module, options, context);
}
