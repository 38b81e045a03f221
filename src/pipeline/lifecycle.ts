import type { Clock } from '../admission/store.ts';
import { parametersByName } from '../upstreams/router.ts';
import type { Operation } from '../upstreams/openapi.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Logger } from 'pino';
import type { Step } from './exchange.ts';

interface Notice {
  /** The headers that are the same for every request, as flat pairs. */
  readonly headers: readonly string[];
  readonly links: readonly string[];
  readonly successor: string | null;
  readonly sunsetAt: number | null;
}

export interface LifecycleSettings {
  readonly routes: readonly Route[];
  readonly afterSunset: 'serve' | 'gone';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tells what is about to go away (RFC 9745, RFC 8594). Before the key is checked, so that every answer tells it. */
export function createLifecycle({ routes, afterSunset, clock, logger }: LifecycleSettings): Step {
  const notices = new Map<Operation, Notice>();
  for (const { operation } of routes) {
    const notice = noticeOf(operation);
    if (notice !== null) notices.set(operation, notice);
  }
  const warned = new Set<Operation>();

  return function lifecycle(exchange) {
    if (exchange.match.kind !== 'operation') return undefined;
    const { operation } = exchange.match.route;
    const notice = notices.get(operation);
    if (notice === undefined) return undefined;

    exchange.headers.push(...notice.headers);
    const links = [...notice.links];
    if (notice.successor !== null) {
      const target = expand(notice.successor, parametersByName(operation, exchange.match.values));
      links.push(`<${target}>; rel="successor-version"`);
    }
    if (links.length > 0) exchange.headers.push('Link', links.join(', '));
    if (notice.sunsetAt === null || clock() < notice.sunsetAt) return undefined;

    if (afterSunset === 'gone') return { code: 'operation_sunset' };
    if (!warned.has(operation)) {
      warned.add(operation);
      logger.warn({ operation: operation.id }, 'an operation past its sunset is still called, and served');
    }
    return undefined;
  };
}

function noticeOf({ lifecycle }: Operation): Notice | null {
  const headers: string[] = [];
  const { deprecatedAt, sunsetAt, stability, deprecationLink } = lifecycle;
  if (deprecatedAt !== null) headers.push('Deprecation', `@${Math.floor(deprecatedAt / 1000)}`);
  if (sunsetAt !== null) headers.push('Sunset', new Date(sunsetAt).toUTCString());
  if (stability !== 'stable') headers.push('X-Stability-Level', stability);
  const links = deprecationLink === null ? [] : [`<${deprecationLink}>; rel="deprecation"`];
  const notice = { headers, links, successor: lifecycle.successor, sunsetAt };
  return headers.length > 0 || links.length > 0 || lifecycle.successor !== null ? notice : null;
}

function expand(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
