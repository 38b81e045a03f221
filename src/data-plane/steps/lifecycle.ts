import type { Logger } from 'pino';
import type { Clock } from '../../base/time.ts';
import type { Step } from '../exchange/exchange.ts';
import type { ServeStep } from '../exchange/run.ts';
import type { Route } from '../upstreams/upstream.ts';
import { retryAfterSeconds } from '../../http/headers.ts';
import { type Lifecycle, brownoutAt } from '../../openapi/operation-lifecycle.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { compileTemplate } from '../../openapi/path-template.ts';

interface Notice {
  /** The headers that are the same for every request, as flat pairs. */
  readonly headers: readonly string[];
  /** Their names, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Builds the value of `Link` from the path parameters; null if there is nothing to link to. */
  readonly link: ((values: readonly string[]) => string) | null;
}

/**
 * Announces deprecation and sunset (RFC 9745, RFC 8594). Before authentication, so that every response has the headers.
 */
export function createLifecycleHeaders(routes: readonly Route[]): Step {
  const notices = new Map<Operation, Notice>();
  for (const { operation } of routes) {
    const notice = noticeOf(operation);
    if (notice !== null) notices.set(operation, notice);
  }

  return function lifecycle(exchange) {
    if (exchange.match.kind !== 'operation') return undefined;
    const notice = notices.get(exchange.match.route.operation);
    if (notice === undefined) return undefined;

    exchange.headers.push(...notice.headers);
    exchange.ownLifecycle = notice.names;
    if (notice.link !== null) exchange.headers.push('Link', notice.link(exchange.match.values));
    return undefined;
  };
}

function noticeOf({ lifecycle, path }: Operation): Notice | null {
  const headers: string[] = [];
  const { deprecatedAt, sunsetAt, stability } = lifecycle;
  if (deprecatedAt !== null) headers.push('Deprecation', `@${Math.floor(deprecatedAt / 1000)}`);
  if (sunsetAt !== null) headers.push('Sunset', new Date(sunsetAt).toUTCString());
  if (stability !== 'stable') headers.push('X-Stability-Level', stability);
  const link = linkOf(lifecycle, path);
  const names = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  return headers.length > 0 || link !== null ? { headers, names, link } : null;
}

function linkOf({ deprecationLink, successor }: Lifecycle, path: string): Notice['link'] {
  const deprecation = deprecationLink === null ? '' : `<${deprecationLink}>; rel="deprecation"`;
  if (successor === null) return deprecation === '' ? null : () => deprecation;
  const target = compileTemplate(successor, path);
  const before = deprecation === '' ? '<' : `${deprecation}, <`;
  return (values) => `${before}${target(values)}>; rel="successor-version"`;
}

export interface GoneOptions {
  readonly afterSunset: 'serve' | 'gone';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Refuses calls to an operation during its brownouts, and after its sunset if so configured. */
export function createGone({ afterSunset, clock, logger }: GoneOptions): ServeStep {
  const warned = new Set<Operation>();

  function isRefusedAfterSunset(operation: Operation): boolean {
    if (afterSunset === 'gone') return true;
    if (!warned.has(operation)) {
      warned.add(operation);
      logger.warn({ operation: operation.id }, 'operation called after its sunset');
    }
    return false;
  }

  return function gone({ match }) {
    if (match.kind !== 'operation') return undefined;
    const { operation } = match.route;
    const { sunsetAt, brownouts } = operation.lifecycle;
    if (sunsetAt === null && brownouts.length === 0) return undefined;
    const now = clock();
    if (sunsetAt !== null && now >= sunsetAt && isRefusedAfterSunset(operation)) return { code: 'operation_sunset' };
    const brownout = brownoutAt(brownouts, now);
    if (brownout === null) return undefined;
    return { code: 'operation_brownout', headers: ['Retry-After', retryAfterSeconds(brownout.to - now)] };
  };
}
