import type { Target } from './target.ts';

/** How long a target that could not be connected to is left alone, in ms. */
const EJECTION_MS = 5000;

/** Chooses the target of each request: the least busy of the usable ones, in turn where several are. */
export class Balancer {
  readonly #targets: readonly Target[];
  #turn = 0;

  constructor(targets: readonly Target[]) {
    this.#targets = targets;
  }

  /** @param except one that was just tried in vain; chosen only if there is no other */
  pick(except: Target | null = null): Target {
    const now = performance.now();
    const { length } = this.#targets;
    this.#turn = (this.#turn + 1) % length;
    let best: Target | undefined;
    let bestRank = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset < length; offset++) {
      const target = this.#targets[(this.#turn + offset) % length];
      if (target === undefined) continue;
      // With none usable, an unusable one is tried all the same.
      const rank = target.load + (target === except ? 2 * UNUSABLE : isUsable(target, now) ? 0 : UNUSABLE);
      if (rank < bestRank) [best, bestRank] = [target, rank];
    }
    if (best === undefined) throw new Error('an upstream has at least one target');
    return best;
  }

  /** Whether there is another target than this one to try. */
  hasOther(target: Target): boolean {
    return this.#targets.some((other) => other !== target);
  }

  eject(target: Target): void {
    target.ejectedUntil = performance.now() + EJECTION_MS;
  }
}

/** More than any load. */
const UNUSABLE = 1e9;

function isUsable(target: Target, now: number): boolean {
  return target.healthy && target.ejectedUntil <= now;
}
