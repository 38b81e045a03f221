import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import { retryUntilAvailable } from '../../base/retry-until-available.ts';
import type { Clock } from '../../base/time.ts';
import { generateKey, UNRESTRICTED } from './key.ts';
import { type PlanWatch, type PlanWatchDependencies, watchPlans, type NamedPlan } from './plan-warnings.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Registry } from './registry.ts';
import { isLoopback } from '../../http/addresses.ts';
import { GATEWAY_PREFIX } from '../../http/path-rules.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { PostgresUnavailable } from '../../storage/postgres-errors.ts';

interface FirstStartOptions {
  /** The plans for an empty registry. */
  readonly plans: readonly Plan[];
  readonly demo: boolean;
  /** The host that the public listener listens on. */
  readonly host: string;
  /** The plans that the current settings name. */
  readonly getNamedPlans: () => readonly NamedPlan[];
  readonly getRoutes: PlanWatchDependencies['getRoutes'];
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Seeds an empty registry with its plans, and creates a key in a demo installation. */
export class FirstStart {
  readonly #registry: Registry;
  readonly #options: FirstStartOptions;
  #isDone = false;
  #isFirst = false;
  #demoKey: string | null = null;
  #isStopped = false;
  #stopRetrying: (() => void) | null = null;
  #planWatch: PlanWatch | null = null;

  constructor(registry: Registry, options: FirstStartOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** Whether the registry could be read, and was seeded if it was empty. */
  isDone(): boolean {
    return this.#isDone;
  }

  /** Whether the registry had plans and has none now. */
  hasLostPlans(): boolean {
    return this.#planWatch?.arePlansLost() === true;
  }

  /**
   * If the registry is unavailable, its plans are written as soon as it is available. In that case, no demo key is
   * created, because nobody reads the output of the start anymore. There is also no demo key if other machines can
   * reach the gateway, as in a container: the log would contain a valid key, and other people read that log.
   *
   * @returns whether this start filled the empty registry, and the secret of the demo key if it created one
   */
  async run(): Promise<{ readonly isFirst: boolean; readonly demoKey: string | null }> {
    const { logger } = this.#options;
    let isWaiting = true;
    const { firstAttempt, stop } = retryUntilAvailable(() => this.#seed(isWaiting), {
      onFailure(error) {
        // The database logs its own outages.
        if (error instanceof PostgresUnavailable) return;
        if (error instanceof StoreUnavailable)
          logger.warn({ reason: error.message }, 'cannot read keys and plans yet; retrying');
        else logger.error({ err: error }, 'reading keys and plans failed');
      },
      onRecovery: () => logger.info('keys and plans can be read'),
    });
    this.#stopRetrying = stop;
    await firstAttempt;
    isWaiting = false;
    return { isFirst: this.#isFirst, demoKey: this.#demoKey };
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopRetrying?.();
    this.#planWatch?.stop();
  }

  /** @param isResultAwaited whether `run` is still waiting for the result */
  async #seed(isResultAwaited: boolean): Promise<void> {
    const { plans, demo, host, getNamedPlans: named, getRoutes: routes, logger, clock } = this.#options;
    const registry = this.#registry;
    const isSeeded = await registry.seedPlans(plans, { actor: 'system', reason: 'first start', at: clock() });
    // If several gateways start at the same time, only one of them seeds the plans.
    this.#isFirst = isSeeded && isResultAwaited;
    if (demo && this.#isFirst) {
      if (isLoopback(host)) this.#demoKey = await createDemoKey(registry, clock);
      else
        logger.info('no demo key was created, because the log would show it: create a key with tollgate keys create');
    }
    this.#isDone = true;
    if (!this.#isStopped) this.#planWatch = watchPlans({ registry, getNamedPlans: named, getRoutes: routes, logger });
  }
}

const DEMO_PLAN = 'free';

/**
 * Creates a key to try the gateway with, if the registry has no keys.
 *
 * @returns the secret of the key; null if there are keys already, or if the plan for the key is missing
 */
async function createDemoKey(registry: Registry, clock: Clock): Promise<string | null> {
  const { items } = await registry.listKeys({}, { limit: 1 });
  if (items.length > 0 || (await registry.getPlan(DEMO_PLAN)) === null) return null;
  const at = clock();
  const fields = { name: 'Demo', owner: 'demo', plan: DEMO_PLAN, ...UNRESTRICTED, metadata: {}, expiresAt: null };
  const { key, secret } = generateKey(fields, at);
  await registry.createKey(key, { actor: 'system', reason: 'first start of a demo installation', at });
  return secret;
}

/**
 * A path to try the key with: the first GET operation without path parameters that needs a key and is not deprecated.
 * If there is none, it is the path of the key's usage.
 */
export function findExamplePath(operations: readonly Operation[]): string {
  const isSimple = ({ method, path, lifecycle, public: isPublic }: Operation) =>
    method === 'GET' && !path.includes('{') && !lifecycle.deprecated && !isPublic;
  return operations.find(isSimple)?.path ?? `${GATEWAY_PREFIX}usage`;
}
