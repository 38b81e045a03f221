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
export function createHttpUpstream(settings: HttpUpstreamOptions, logger: Logger): Upstream {
  const { name, timeouts, host, maxResponseHeader } = settings;
  const connector = createTargetConnector(timeouts.connect, settings.tls ?? {}, logger);
  const targets = settings.targets.map((url) => {
    const path = socketPath(url);
    const connect = path === null ? connector.connect : createSocketConnector(path, timeouts.connect);
    return new Target(url, settings, connect);
  });
  const balancer = new Balancer(targets);
  const headersFor = createConfiguredHeaders(settings.headers, host);
  const shared = { name, balancer, timeouts, logger };
  const upgradeOptions = { idleMs: timeouts.idle, isOwnHost: host === 'target', maxResponseHeader };
  const upgrades = new Map(
    targets.map((target) => [target, createHttpUpgrade(name, target, headersFor, upgradeOptions)]),
  );
  const { health } = settings;
  // Health checks have no consumer. If `host` is `client`, they use the target's `Host`.
  const checkedHost = host === 'target' || host === 'client' ? null : host;
  const stopHealth =
    health === undefined ? () => undefined : watchHealth(targets, { ...health, host: checkedHost }, logger);

  async function upgradeTo(target: Target, request: UpstreamRequest, end: TunnelEnd): Promise<void> {
    target.load++;
    const unload = () => target.load--;
    end.socket.once('close', unload);
    const span = request.trace?.attempt(target.url, request.headers);
    try {
      const status = await upgrades.get(target)!(request, end, request.timeoutMs ?? timeouts.response);
      span?.end(status, null);
    } catch (error) {
      span?.end(0, error instanceof UpstreamError ? error.code : 'internal_error');
      if (error instanceof TargetUnreachable) {
        end.socket.off('close', unload);
        unload();
        target.eject();
        logger.warn({ target: target.url, err: error.cause }, 'target unreachable');
      }
      throw error;
    }
  }

  return {
    name,
    handle: (request, res) => new Attempts(shared, request, headersFor(request.headers), res).run(),
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
 * @param configured values by name
 * @returns a function that takes and returns a flat list of names and values
 */
export function createConfiguredHeaders(
  configured: Readonly<Record<string, string>>,
  host: HttpUpstreamOptions['host'] = 'target',
): (headers: readonly string[]) => string[] {
  const extra = Object.entries(configured).flat();
  const replaced = new Set(['transfer-encoding', ...Object.keys(configured).map((name) => name.toLowerCase())]);
  if (host !== 'client') replaced.add('host');
  if (host !== 'client' && host !== 'target') extra.push('Host', host);
  const isReplaced = cachedByName((name) => replaced.has(name.toLowerCase()));
  return function withConfigured(headers) {
    const out: string[] = [];
    for (let index = 0; index < headers.length; index += 2) {
      const name = headers[index] ?? '';
      if (!isReplaced(name)) out.push(name, headers[index + 1] ?? '');
    }
    return extra.length === 0 ? out : out.concat(extra);
  };
}
