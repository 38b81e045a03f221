import { isDateTime, toMillis } from '../base/time.ts';

/**
 * Reports an error in a field of an operation and how to fix it.
 *
 * @param within the path of the invalid value below the field; omitted: the field itself
 */
export type Fault = (field: string, what: string, within?: readonly PropertyKey[]) => void;

/** An operation's lifecycle in its OpenAPI document: when it was deprecated, when it will be removed, what replaces it. */
export interface Lifecycle {
  readonly deprecated: boolean;
  /** ms since the Unix epoch; null if the document has no date. */
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
type Stability = (typeof STABILITIES)[number];

/** Reads the lifecycle fields of an operation; calls `fault` for errors in them. */
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
    fault('x-sunset', 'is before x-deprecated-at: an operation must be deprecated before its sunset');
  }
  const brownouts = readBrownouts(operation['x-brownouts'], fault);
  if (deprecatedAt !== null && brownouts.some(({ from }) => from < deprecatedAt)) {
    fault('x-brownouts', 'starts before x-deprecated-at: an operation must be deprecated before its first brownout');
  }
  if (!deprecated && (deprecatedAt !== null || sunsetAt !== null || brownouts.length > 0)) {
    fault('deprecated', 'must be true if x-deprecated-at, x-sunset or x-brownouts is set');
  }
  const reference = (field: string): string | null => {
    const value = text(field);
    if (value !== null && !REFERENCE.test(value))
      fault(field, 'must be a URL or path, with non-ASCII characters percent-encoded');
    return value;
  };
  const successor = reference('x-successor');
  for (const [, name = ''] of successor?.matchAll(/\{([^{}]*)\}/g) ?? []) {
    if (parameters.includes(name)) continue;
    const known = parameters.length === 0 ? 'it has none' : `known: ${parameters.join(', ')}`;
    fault('x-successor', `names {${name}}, which is not a parameter of the path (${known})`);
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

/** The characters between `<` and `>` in a `Link` header; braces belong to a template. */
const REFERENCE = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%{}-]+$/;

function isStability(text: string): text is Stability {
  return (STABILITIES as readonly string[]).includes(text);
}

/** An interval in which a deprecated operation is switched off, so that its callers notice in time. */
interface Brownout {
  /** ms since the Unix epoch. */
  readonly from: number;
  /** The first moment at which the operation works again. */
  readonly to: number;
}

const BROWNOUTS = 'x-brownouts';

/** The brownout at a time; null if there is none. */
export function findBrownout(brownouts: readonly Brownout[], time: number): Brownout | null {
  for (const brownout of brownouts) if (brownout.from <= time && time < brownout.to) return brownout;
  return null;
}

/** Reads the `x-brownouts` of an operation; calls `fault` for errors in them. */
export function readBrownouts(value: unknown, fault: Fault): readonly Brownout[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fault(BROWNOUTS, 'must be a list of { from, to }');
    return [];
  }
  const brownouts = value.map((each: unknown, index) => readBrownout(each, index, fault));
  for (const [index, brownout] of brownouts.entries()) {
    const before = brownouts[index - 1];
    if (!brownout || !before || brownout.from > before.to) continue;
    const what =
      brownout.from < before.from
        ? 'starts before the previous one: list brownouts in chronological order'
        : 'overlaps or touches the previous one: merge the two';
    fault(BROWNOUTS, what, [index]);
  }
  return brownouts.filter((brownout) => brownout !== null);
}

function readBrownout(value: unknown, index: number, fault: Fault): Brownout | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fault(BROWNOUTS, 'must be { from, to }', [index]);
    return null;
  }
  const { from: fromText, to: toText, ...others } = value as Record<string, unknown>;
  for (const name of Object.keys(others))
    fault(BROWNOUTS, 'is unknown: a brownout has only from and to', [index, name]);
  const from = readTime(fromText, [index, 'from'], fault);
  const to = readTime(toText, [index, 'to'], fault);
  if (from === null || to === null) return null;
  if (from < to) return { from, to };
  fault(BROWNOUTS, 'must have a "to" that is later than its "from"', [index]);
  return null;
}

function readTime(value: unknown, within: readonly PropertyKey[], fault: Fault): number | null {
  if (typeof value === 'string' && isDateTime(value)) return toMillis(value);
  const found = value === undefined ? 'it is missing' : `got ${JSON.stringify(value)}`;
  fault(BROWNOUTS, `must be an RFC 3339 date-time with an offset, such as 2026-12-01T09:00:00Z; ${found}`, within);
  return null;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Parses a date (meaning 00:00 UTC) or an RFC 3339 date-time into ms since the Unix epoch. */
function moment(text: string | null, field: string, fault: Fault): number | null {
  if (text === null) return null;
  const dateTime = DATE.test(text) ? `${text}T00:00:00Z` : text;
  if (isDateTime(dateTime)) return toMillis(dateTime);
  fault(
    field,
    `must be a date such as 2027-12-31 or a date-time such as 2027-12-31T00:00:00Z; got ${JSON.stringify(text)}`,
  );
  return null;
}
