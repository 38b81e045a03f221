import { readBrownouts, type Brownout } from './brownouts.ts';
import { moment, type Fault } from './fields.ts';

/** An operation's lifecycle in its OpenAPI document: since when it is deprecated, when it ends, what replaces it. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** ms since the Unix epoch; null if the document gives no date: none is invented. */
  readonly deprecatedAt: number | null;
  readonly sunsetAt: number | null;
  /** In order, without overlap. */
  readonly brownouts: readonly Brownout[];
  readonly stability: Stability;
  /** A URI template with the path's parameters, such as `/pets?id={petId}`. */
  readonly successor: string | null;
  readonly deprecationLink: string | null;
}

const STABILITIES = ['experimental', 'draft', 'alpha', 'beta', 'stable'] as const;
export type Stability = (typeof STABILITIES)[number];

/** Reads the lifecycle fields of an operation; calls `fault` for what is wrong with them. */
export function readLifecycle(
  operation: Readonly<Record<string, unknown>>,
  parameters: readonly string[],
  fault: Fault,
): Lifecycle {
  const text = (field: string): string | null => {
    const value = operation[field];
    if (value === undefined || typeof value === 'string') return value ?? null;
    fault(field, 'must be text');
    return null;
  };
  const deprecated = operation['deprecated'] === true;
  const deprecatedAt = moment(text('x-deprecated-at'), 'x-deprecated-at', fault);
  const sunsetAt = moment(text('x-sunset'), 'x-sunset', fault);
  if (deprecatedAt !== null && sunsetAt !== null && sunsetAt < deprecatedAt) {
    fault('x-sunset', 'is before x-deprecated-at: an operation is deprecated first');
  }
  const brownouts = readBrownouts(operation['x-brownouts'], fault);
  if (deprecatedAt !== null && brownouts.some(({ from }) => from < deprecatedAt)) {
    fault('x-brownouts', 'begins before x-deprecated-at: an operation is deprecated first');
  }
  if (!deprecated && (deprecatedAt !== null || sunsetAt !== null || brownouts.length > 0)) {
    fault('deprecated', 'must be true where x-deprecated-at, x-sunset or x-brownouts is given');
  }
  const reference = (field: string): string | null => {
    const value = text(field);
    if (value !== null && !REFERENCE.test(value))
      fault(field, 'must be a URL or path, with what is not ASCII percent-encoded');
    return value;
  };
  const successor = reference('x-successor');
  for (const [, name = ''] of successor?.matchAll(/\{([^}]*)\}/g) ?? []) {
    if (!parameters.includes(name)) fault('x-successor', `names {${name}}, which is no parameter of the path`);
  }
  const stability = text('x-stability-level') ?? 'stable';
  if (!isStability(stability)) fault('x-stability-level', `must be one of ${STABILITIES.join(', ')}`);
  return {
    deprecated,
    deprecatedAt,
    sunsetAt,
    brownouts,
    stability: isStability(stability) ? stability : 'stable',
    successor,
    deprecationLink: reference('x-deprecation-link'),
  };
}

/** What may be between `<` and `>` in a `Link` header; braces belong to a template. */
const REFERENCE = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%{}-]+$/;

function isStability(text: string): text is Stability {
  return (STABILITIES as readonly string[]).includes(text);
}
