import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { ChangeContext } from '../control-plane/registry/audit-log.ts';
import { waitAtMost } from '../base/awaitable.ts';
import { StartError, StoreUnavailable } from '../base/error-types.ts';
import { RegistryError } from '../domain/registry-error.ts';
import type { Reloaded, ReloadConfiguration } from '../control-plane/admin/resources/system.ts';
import { readSubjects } from '../control-plane/admin/resources/reload-report.ts';
import { Refused } from '../control-plane/api-server/refused.ts';
import type { ReloadEffects, Subjects } from '../control-plane/system/reload-effects.ts';
import type { Registry } from '../control-plane/registry/registry.ts';
import type { ReloadMetrics } from '../telemetry/metrics/reload-metrics.ts';
import type { Config, LiveConfig } from '../config/config.ts';
import type { ConfigInForce } from '../config/in-force.ts';

/** A new configuration with everything that it needs already open. The current configuration is still in force. */
export interface Prepared {
  /** For the operator, in addition to those found when the configuration was read. */
  readonly warnings: readonly string[];
  /**
   * Puts the new configuration in force. This cannot fail, and no request sees half of the change. Parts that only the
   * previous configuration needs are closed later.
   */
  use(): void;
  /** Closes everything that was opened for the new configuration. Never rejects. */
  discard(): Promise<void>;
}

/** @param withinMs maximum time for services to start @throws StartError if the configuration cannot be used */
type Prepare = (live: LiveConfig, withinMs: number) => Promise<Prepared>;

interface ReloadingOptions {
  readonly inForce: ConfigInForce;
  /** Loads the configuration again without blocking requests. @throws StartError if the configuration cannot be used */
  readonly loadConfig: (before: LiveConfig) => Promise<Config>;
  readonly isDraining: () => boolean;
  readonly registry: Registry;
  /** Finds the effects of a reload before it is applied. Does not reject. */
  readonly findEffects: (next: Config, subjects: Promise<Subjects>) => Promise<ReloadEffects>;
  readonly metrics: ReloadMetrics;
  readonly logger: Logger;
  /** Tells the other gateways which configuration is in force, at the start and after each reload. */
  readonly reportConfig: () => Promise<void>;
}

/**
 * Maximum time for services to start. A service in this process is third-party code, and if it never starts, it must
 * not block the next reload. The limit is shorter than the timeout of the `reload` command, so that the response can
 * name the service.
 */
const OPEN_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 1000;
/** How long a reload waits for the plans and keys that its report concerns. The reload itself does not need them. */
const SUBJECTS_TIMEOUT_MS = 2000;

/**
 * Replaces the configuration while the gateway serves. The new configuration is first checked as a whole, and
 * everything that it needs is opened. Then it replaces the current configuration at once. If anything fails before
 * that, nothing changes. Requests in progress finish under the configuration with which they began. Parts that only
 * these requests need are closed after the last of them.
 */
export class Reloading {
  readonly #options: ReloadingOptions;
  readonly #logger: Logger;
  /** Null until the gateway is ready for reloads. */
  #prepare: Prepare | null = null;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<Reloaded> | null = null;
  #isStopped = false;

  constructor(options: ReloadingOptions) {
    this.#options = options;
    this.#logger = options.logger;
  }

  /** Allows reloads from now on. */
  start(prepare: Prepare): void {
    this.#prepare = prepare;
    this.#reportConfig();
  }

  /** Does not wait, because a reload is done when the configuration is in force. */
  #reportConfig(): void {
    this.#options.reportConfig().catch((error: unknown) => {
      this.#logger.error({ err: error }, 'could not compute the digest of the configuration');
    });
  }

  /**
   * Reloads the configuration. Only one reload runs at a time: all calls during a reload share a single second reload,
   * which runs after it.
   *
   * @throws StartError if the configuration cannot be used; StoreUnavailable and RegistryError if its plans cannot be
   *   applied. In each case, nothing has changed.
   */
  readonly reload: ReloadConfiguration = async (change) => {
    const prepare = this.#prepare;
    if (prepare === null) throw new Refused('starting');
    this.#refuseWhileStopping();
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = null;
      this.#refuseWhileStopping();
      const running = this.#reload(prepare, change);
      this.#running = running.then(ignoreResult, ignoreResult);
      return running;
    });
    return this.#waiting;
  };

  /** Prevents further reloads, and waits up to a second for a running reload. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await waitAtMost(STOP_TIMEOUT_MS, this.#running);
  }

  /** Refuses a reload if the gateway is draining, because it keeps its configuration until it stops. */
  #refuseWhileStopping(): void {
    if (!this.#isStopped && !this.#options.isDraining()) return;
    this.#logger.info('configuration not reloaded: the gateway is shutting down');
    throw new Refused('shutting_down');
  }

  async #reload(prepare: Prepare, change: ChangeContext): Promise<Reloaded> {
    const { metrics } = this.#options;
    try {
      const reloaded = await this.#exchange(prepare, change);
      metrics.record(true);
      await this.#report(reloaded, change);
      return reloaded;
    } catch (error) {
      metrics.record(false);
      const isExpected = [StartError, StoreUnavailable, RegistryError, Refused].some((kind) => error instanceof kind);
      const cause = isExpected ? { cause: (error as Error).message } : { err: error };
      this.#logger.error(cause, 'configuration not reloaded; the current one stays in effect');
      throw error;
    }
  }

  async #exchange(prepare: Prepare, change: ChangeContext): Promise<Reloaded> {
    const { inForce, loadConfig, findEffects, registry } = this.#options;
    const before = inForce.live;
    const subjects = readSubjects({
      listPlans: () => registry.listPlans(),
      keysWithOperations: (limit) => registry.keysWithOperations(limit),
    });
    // It is awaited only after the configuration is loaded.
    subjects.catch(ignoreResult);
    const read = await loadConfig(before);
    // With thousands of operations, each step may take long, so let requests be served in between.
    await nextTurn();
    const { live, changed, restart } = inForce.compare(read);
    await nextTurn();
    // The report needs the plans as they are before the reload; everything else can be found while the reload prepares.
    await waitAtMost(SUBJECTS_TIMEOUT_MS, subjects.catch(ignoreResult));
    const effects = findEffects(read, subjects);
    const prepared = await prepare(live, OPEN_TIMEOUT_MS);
    try {
      this.#refuseWhileStopping();
      const planWarnings = await this.#applyPlans(before.plans, live.plans, change);
      // From here on, nothing can fail, and nothing is asynchronous, so no request sees half of the change.
      inForce.replace(live);
      this.#logger.level = live.logLevel;
      prepared.use();
      this.#reportConfig();
      return { changed, restart, warnings: [...live.warnings, ...prepared.warnings, ...planWarnings], effects };
    } catch (error) {
      await prepared.discard();
      throw error;
    }
  }

  /**
   * Applies changed plans. Skips the database if no plan has changed, so that a reload works while the database is
   * unavailable.
   */
  async #applyPlans(
    before: LiveConfig['plans'],
    read: LiveConfig['plans'],
    change: ChangeContext,
  ): Promise<readonly string[]> {
    if (isDeepStrictEqual(before, read)) return [];
    return this.#options.registry.applyChangedPlans({ before, read }, change);
  }

  async #report({ changed, restart, warnings }: Reloaded, change: ChangeContext): Promise<void> {
    const logger = this.#logger;
    for (const warning of warnings) logger.warn({ warning }, 'configuration warning');
    if (restart.length > 0) logger.warn({ restart }, 'some changed settings need a restart');
    logger.info({ actor: change.actor, changed }, 'configuration reloaded');
    if (changed.length === 0) return;
    const auditFields = { subject: 'configuration', before: null, after: { changed } };
    try {
      await this.#options.registry.appendAudit({ ...change, action: 'config.reload', ...auditFields });
    } catch (error) {
      logger.error({ err: error }, 'could not record the reload in the audit log');
    }
  }
}

function ignoreResult(): void {
  // The next reload only needs to know that this reload has ended. Its caller gets the result.
}
