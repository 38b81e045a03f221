import type { Target } from './target.ts';

/**
 * Chooses the target of each request: the usable target with the lowest load. Targets with the same load take turns.
 */
export class Balancer {
  readonly #targets: readonly Target[];
  #turn = 0;

  constructor(targets: readonly Target[]) {
    this.#targets = targets;
  }

  /** @param except a target that has just failed; chosen only if there is no other target */
  pick(except: Target | null = null): Target {
    const now = performance.now();
    const { length } = this.#targets;
    this.#turn = (this.#turn + 1) % length;
    let best: Target | undefined;
    let bestRank = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset < length; offset++) {
      const target = this.#targets[(this.#turn + offset) % length];
      if (target === undefined) continue;
      // If no target is usable, an unusable target is tried anyway.
      const penalty = target === except ? 2 * UNUSABLE_WEIGHT : isUsable(target, now) ? 0 : UNUSABLE_WEIGHT;
      const rank = target.load + (target.pool.isFull ? FULL_WEIGHT : 0) + penalty;
      if (rank < bestRank) [best, bestRank] = [target, rank];
    }
    if (best === undefined) throw new Error('an upstream has at least one target');
    return best;
  }

  /** Whether there is another target to try. */
  hasOther(target: Target): boolean {
    return this.#targets.some((other) => other !== target);
  }
}

/**
 * Added to the load of a target without a free connection. It is higher than any load, so that a target without a free
 * connection is chosen only if no other has one.
 */
const FULL_WEIGHT = 1e8;
/** Added to the load of an unusable target, and higher than the load of a full target. */
const UNUSABLE_WEIGHT = 1e9;

function isUsable(target: Target, now: number): boolean {
  return target.isHealthy !== false && target.ejectedUntil <= now;
}
