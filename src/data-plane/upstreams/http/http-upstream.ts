import type { Logger } from 'pino';
import { Attempts } from './attempts.ts';
import { Balancer } from './balancer.ts';
import { watchHealth, type HealthCheckConfig } from './health-checks.ts';
import { createSocketConnector, createTargetConnector, type TargetTls } from './target-connector.ts';
import { Target, type TargetOptions } from './target.ts';
import { createHttpUpgrade, TargetUnreachable } from './http-upgrade.ts';
import { UpstreamError } from '../upstream-error.ts';
import { sumConnections, type TunnelEnd, type Upstream, type UpstreamRequest } from '../upstream.ts';
import { socketPath } from '../../../base/target-urls.ts';
import { cachedByName } from '../../../http/headers.ts';

export interface HttpUpstreamOptions extends TargetOptions {
  readonly name: string;
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The `Host` of requests: the target's, the consumer's (`client`), or this value. */
  readonly host: 'target' | 'client' | (string & {});
  readonly tls?: TargetTls | undefined;
  readonly health?: HealthCheckConfig | undefined;
}

/**
 * An upstream reached over HTTP, at one or more targets.
 *
 * @throws StartError if a file of `tls` cannot be used
 */
export function createHttpUpstream(options: HttpUpstreamOptions, logger: Logger): Upstream {
  const { name, timeouts, host, maxResponseHeader } = options;
  const connector = createTargetConnector(timeouts.connect, options.tls ?? {}, logger);
  const targets = options.targets.map((url) => {
    const path = socketPath(url);
    const connect = path === null ? connector.connect : createSocketConnector(path, timeouts.connect);
    return new Target(url, options, connect);
  });
  const balancer = new Balancer(targets);
  const buildHeaders = createAddConfiguredHeaders(options.headers, host);
  const attemptOptions = { name, balancer, timeouts, logger };
  const upgradeOptions = { idleMs: timeouts.idle, isOwnHost: host === 'target', maxResponseHeader };
  const upgrades = new Map(
    targets.map((target) => [target, createHttpUpgrade(name, target, buildHeaders, upgradeOptions)]),
  );
  const { health } = options;
  // Health checks have no consumer. If `host` is `client`, they use the target's `Host`.
  const checkHost = host === 'target' || host === 'client' ? null : host;
  const stopHealth =
    health === undefined ? () => undefined : watchHealth(targets, { ...health, host: checkHost }, logger);

  async function upgradeTo(target: Target, request: UpstreamRequest, end: TunnelEnd): Promise<void> {
    target.load++;
    const reduceLoad = () => target.load--;
    end.socket.once('close', reduceLoad);
    const span = request.trace?.attempt(target.url, request.headers);
    try {
      const status = await upgrades.get(target)!(request, end, request.timeoutMs ?? timeouts.response);
      span?.end(status, null);
    } catch (error) {
      span?.end(0, error instanceof UpstreamError ? error.code : 'internal_error');
      if (error instanceof TargetUnreachable) {
        end.socket.off('close', reduceLoad);
        reduceLoad();
        target.eject();
        logger.warn({ target: target.url, err: error.cause }, 'target unreachable');
      }
      throw error;
    }
  }

  return {
    name,
    handle: (request, res) => new Attempts(attemptOptions, request, buildHeaders(request.headers), res).run(),
    async upgrade(request, end) {
      const target = balancer.pick();
      try {
        await upgradeTo(target, request, end);
      } catch (error) {
        if (!(error instanceof TargetUnreachable) || !balancer.hasOther(target)) throw error;
        await upgradeTo(balancer.pick(target), request, end);
      }
    },
    targets: () => targets.map(({ condition }) => condition),
    connections: () => sumConnections(targets.map(({ pool }) => pool.counts)),
    certificate: () => connector.certificate(),
    async close() {
      stopHealth();
      connector.close();
      await Promise.all(targets.map((target) => target.close()));
    },
  };
}

/**
 * Creates the function that adds the configured headers to requests to a target. A configured header replaces the
 * consumer's headers with the same name. undici itself writes `Transfer-Encoding` and the target's `Host`, so these are
 * removed.
 *
 * @param configuredHeaders values by name
 * @returns a function that takes and returns a flat list of names and values
 */
export function createAddConfiguredHeaders(
  configuredHeaders: Readonly<Record<string, string>>,
  host: HttpUpstreamOptions['host'] = 'target',
): (headers: readonly string[]) => string[] {
  const addedHeaders = Object.entries(configuredHeaders).flat();
  const replacedNames = new Set([
    'transfer-encoding',
    ...Object.keys(configuredHeaders).map((name) => name.toLowerCase()),
  ]);
  if (host !== 'client') replacedNames.add('host');
  if (host !== 'client' && host !== 'target') addedHeaders.push('Host', host);
  const isReplaced = cachedByName((name) => replacedNames.has(name.toLowerCase()));
  return function addConfiguredHeaders(headers) {
    const pairs: string[] = [];
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? '';
      if (!isReplaced(name)) pairs.push(name, headers[index + 1] ?? '');
    }
    return addedHeaders.length === 0 ? pairs : pairs.concat(addedHeaders);
  };
}
