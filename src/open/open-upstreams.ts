import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import type { Shutdown } from '../shutdown.ts';
import { createHttpUpstream } from '../upstreams/http/http-upstream.ts';
import { loadInProcess } from '../upstreams/in-process.ts';
import type { Route, Upstream } from '../upstreams/upstream.ts';

/**
 * Opens every upstream of the configuration.
 *
 * @returns where the requests of each of their operations go
 * @throws StartError if a module cannot be loaded or does not start
 */
export async function openUpstreams(config: Config, logger: Logger, shutdown: Shutdown): Promise<Route[]> {
  const routes: Route[] = [];
  for (const settings of config.upstreams) {
    const upstream = await openUpstream(config, settings, logger.child({ upstream: settings.name }));
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
): Promise<Upstream> {
  if (!('module' in settings)) return createHttpUpstream(settings, logger);
  const { name, module, options, document } = settings;
  return loadInProcess(name, module, options, { dataDir, openapi: document.value, demo, logger });
}
