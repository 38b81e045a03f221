import type { Step } from '../exchange/exchange.ts';
import type { Route } from '../upstreams/upstream.ts';
import type { Lifecycle } from '../../openapi/operation-lifecycle.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { compileTemplate } from '../../openapi/path-template.ts';

interface Notice {
  /** The headers that are the same for every request, as a flat list of names and values. */
  readonly headers: readonly string[];
  /** Their names, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Builds the value of `Link` from the path parameters; null if there is nothing to link to. */
  readonly formatLink: ((values: readonly string[]) => string) | null;
}

/**
 * Adds the headers that announce deprecation and sunset (RFC 9745, RFC 8594). Runs before authentication, so that
 * refusals have them too.
 */
export function createLifecycleStep(routes: readonly Route[]): Step {
  const notices = new Map<Operation, Notice>();
  for (const { operation } of routes) {
    const notice = createNotice(operation);
    if (notice !== null) notices.set(operation, notice);
  }

  return function lifecycle(exchange) {
    if (exchange.match.kind !== 'operation') return undefined;
    const notice = notices.get(exchange.match.route.operation);
    if (notice === undefined) return undefined;

    exchange.headers.push(...notice.headers);
    exchange.ownLifecycleNames = notice.names;
    if (notice.formatLink !== null) exchange.headers.push('Link', notice.formatLink(exchange.match.values));
    return undefined;
  };
}

function createNotice({ lifecycle, path, hasRest }: Operation): Notice | null {
  const headers: string[] = [];
  const { deprecatedAt, sunsetAt, stability } = lifecycle;
  if (deprecatedAt !== null) headers.push('Deprecation', `@${Math.floor(deprecatedAt / 1000)}`);
  if (sunsetAt !== null) headers.push('Sunset', new Date(sunsetAt).toUTCString());
  if (stability !== 'stable') headers.push('X-Stability-Level', stability);
  const link = createFormatLink(lifecycle, path, hasRest);
  const names = new Set(headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  return headers.length > 0 || link !== null ? { headers, names, formatLink: link } : null;
}

function createFormatLink(
  { deprecationLink, successor }: Lifecycle,
  path: string,
  hasRest: boolean,
): Notice['formatLink'] {
  const deprecation = deprecationLink === null ? '' : `<${deprecationLink}>; rel="deprecation"`;
  if (successor === null) return deprecation === '' ? null : () => deprecation;
  const formatTarget = compileTemplate(successor, path, hasRest);
  const prefix = deprecation === '' ? '<' : `${deprecation}, <`;
  return (values) => `${prefix}${formatTarget(values)}>; rel="successor-version"`;
}
