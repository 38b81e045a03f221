import { positiveDuration, size } from '../base/units.ts';
import type { Fault } from './fields.ts';

/** What an OpenAPI document tells the gateway to do with an operation. */
export interface Extensions {
  /** Units of quota that a request takes (`x-tollgate-cost`). */
  readonly cost: number;
  /** Whether it needs no key (`security: []`), and is limited by address. */
  readonly public: boolean;
  /** How long the upstream may take to begin its answer (`x-tollgate-timeout`); null: the default. */
  readonly timeoutMs: number | null;
  /** Largest body that it takes (`x-tollgate-max-body`); null: the default. */
  readonly maxBodyBytes: number | null;
}

const KNOWN = ['x-tollgate-cost', 'x-tollgate-timeout', 'x-tollgate-max-body'];

/** Reads the gateway's own fields of an operation; calls `fault` for what is wrong with them. */
export function readExtensions(operation: Readonly<Record<string, unknown>>, fault: Fault): Extensions {
  for (const field of Object.keys(operation)) {
    if (!field.startsWith('x-tollgate-') || KNOWN.includes(field)) continue;
    fault(field, `is not known: check its spelling (known are ${KNOWN.join(', ')})`);
  }
  const cost = operation['x-tollgate-cost'] ?? 1;
  if (!Number.isSafeInteger(cost) || (cost as number) < 1) fault('x-tollgate-cost', 'must be a positive whole number');

  const quantity = (field: string, unit: typeof positiveDuration): number | null => {
    const value = operation[field];
    if (value === undefined) return null;
    const parsed = unit.safeParse(value);
    if (parsed.success) return parsed.data;
    fault(field, parsed.error.issues[0]?.message ?? 'cannot be read');
    return null;
  };
  const { security } = operation;
  return {
    cost: cost as number,
    public: Array.isArray(security) && security.length === 0,
    timeoutMs: quantity('x-tollgate-timeout', positiveDuration),
    maxBodyBytes: quantity('x-tollgate-max-body', size),
  };
}
