import type { Logger } from 'pino';
import type { Clock } from '../../base/time.ts';
import { formatRetryAfter } from '../../http/retry-after.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { findBrownout } from '../../openapi/operation-lifecycle.ts';
import type { ServeStep } from '../exchange/run-steps.ts';

interface GoneOptions {
  readonly afterSunset: 'serve' | 'gone';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Refuses calls to an operation during its brownouts, and also after its sunset if `afterSunset` is `gone`. */
export function createGoneStep({ afterSunset, clock, logger }: GoneOptions): ServeStep {
  const warnedOperations = new Set<Operation>();

  function isRefusedAfterSunset(operation: Operation): boolean {
    if (afterSunset === 'gone') return true;
    if (!warnedOperations.has(operation)) {
      warnedOperations.add(operation);
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
    const brownout = findBrownout(brownouts, now);
    if (brownout === null) return undefined;
    return { code: 'operation_brownout', headers: ['Retry-After', formatRetryAfter(brownout.to - now)] };
  };
}
