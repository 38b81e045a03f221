import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { AdminToken } from './control-plane/admin/access/admin-token.ts';
import type { Reloaded, ReloadConfiguration } from './control-plane/admin/resources/configuration.ts';
import { RegistryError } from './base/records/registry-error.ts';
import { StartError } from './base/start-error.ts';
import { StoreUnavailable } from './base/store-unavailable.ts';
import { waitAtMost } from './base/waiting/wait-at-most.ts';
import { changesBetween } from './config/in-force/reloadable.ts';
import type { Config } from './config/load.ts';
import { Refused } from './control-plane/api/http/refused.ts';
import type { ReloadMetrics } from './telemetry/metrics/reload-metrics.ts';
import type { Upstreams } from './data-plane/upstreams/open-upstreams.ts';
import type { ChangeContext } from './control-plane/registry/audit/audit-log.ts';
import type { Registry } from './control-plane/registry/registry.ts';
import type { Serving } from './serving.ts';
import type { Shutdown } from './shutdown.ts';
import type { StartContext } from './start-context.ts';

export interface ReloadSettings {
  /** Reads the configuration anew. @throws ConfigError */
  readonly loadConfig: (before: Config) => Config;
  readonly upstreams: Upstreams;
  readonly registry: Registry;
}

/**
 * A service in this process is others' code: one that never starts must not stand in the way of the next reload. Less
 * than the command waits for its answer, so that it can say which one it is.
 */
const OPEN_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 1000;

/**
 * Exchanges the configuration while the gateway serves: the new one is checked as a whole, built beside the present
 * one, and put in its place between two requests. Whatever fails before that leaves everything as it was. Requests
 * that have begun finish as they began; what only they need is closed after the last of them.
 */
export class Reloading {
  readonly #settings: ReloadSettings;
  readonly #logger: Logger;
  readonly #metrics: ReloadMetrics;
  readonly #shutdown: Pick<Shutdown, 'isDraining'>;
  #serving: Serving | null = null;
  #inForce: Config;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<Reloaded> | null = null;
  #isStopped = false;

  constructor({ config, logger, metrics, shutdown }: StartContext, settings: ReloadSettings) {
    this.#inForce = config;
    this.#settings = settings;
    this.#logger = logger;
    this.#metrics = metrics.reloads;
    this.#shutdown = shutdown;
    shutdown.add('first start', () => this.#stop());
  }

  /** The configuration in force. */
  get config(): Config {
    return this.#inForce;
  }

  /**
   * Lets the first configuration answer.
   *
   * @returns what opens the admin API
   * @throws StartError if that cannot be used
   */
  serve(serving: Serving): readonly AdminToken[] {
    const handlers = serving.prepare(this.#inForce, this.#settings.upstreams.routes);
    void handlers.use();
    this.#serving = serving;
    return handlers.tokens;
  }

  /**
   * One at a time: a call while another runs waits for it, and shares its own with those that come after it.
   *
   * @throws StartError if the configuration cannot be used; StoreUnavailable and RegistryError if its plans cannot be
   *   applied. Then nothing has changed.
   */
  readonly reload: ReloadConfiguration = async (change) => {
    const serving = this.#serving;
    if (serving === null) throw new Refused('starting');
    this.#refuseAtTheEnd();
    this.#waiting ??= this.#running.then(() => {
      this.#waiting = null;
      this.#refuseAtTheEnd();
      const running = this.#reload(serving, change);
      this.#running = running.then(nothing, nothing);
      return running;
    });
    return this.#waiting;
  };

  /** A gateway that drains ends with the configuration that it has. */
  #refuseAtTheEnd(): void {
    if (!this.#isStopped && !this.#shutdown.isDraining) return;
    this.#logger.info('the configuration is not reloaded any more: the gateway stops');
    throw new Refused('shutting_down');
  }

  /** Waits for the one that runs, and starts no other. */
  async #stop(): Promise<void> {
    this.#isStopped = true;
    await waitAtMost(STOP_WITHIN_MS, this.#running);
  }

  async #reload(serving: Serving, change: ChangeContext): Promise<Reloaded> {
    try {
      const reloaded = await this.#exchange(serving, change);
      this.#metrics.record(true);
      await this.#tell(reloaded, change);
      return reloaded;
    } catch (error) {
      this.#metrics.record(false);
      const isExpected = [StartError, StoreUnavailable, RegistryError, Refused].some((kind) => error instanceof kind);
      const cause = isExpected ? { cause: (error as Error).message } : { err: error };
      this.#logger.error(cause, 'the configuration was not reloaded, and the present one stays in force');
      throw error;
    }
  }

  async #exchange(serving: Serving, change: ChangeContext): Promise<Reloaded> {
    const { loadConfig, upstreams } = this.#settings;
    const before = this.#inForce;
    const { config, changed, restart } = changesBetween(before, loadConfig(before));
    const prepared = await upstreams.prepare(config, OPEN_WITHIN_MS);
    try {
      this.#refuseAtTheEnd();
      const handlers = serving.prepare(config, prepared.routes);
      const stayed = await this.#applyPlans(before.plans, config.plans, change);
      // From here on nothing can fail, and no request is served in between.
      this.#inForce = config;
      this.#logger.level = config.logLevel;
      const closeUnused = prepared.use();
      void handlers.use().then(closeUnused);
      return { changed, restart, warnings: [...config.warnings, ...stayed] };
    } catch (error) {
      await prepared.discard();
      throw error;
    }
  }

  /** Asks the database only if the file has changed: a reload of anything else works while it is away. */
  async #applyPlans(before: Config['plans'], read: Config['plans'], change: ChangeContext): Promise<readonly string[]> {
    if (isDeepStrictEqual(before, read)) return [];
    return this.#settings.registry.applyChangedPlans({ before, read }, change);
  }

  async #tell({ changed, restart, warnings }: Reloaded, change: ChangeContext): Promise<void> {
    const { registry } = this.#settings;
    const logger = this.#logger;
    for (const warning of warnings) logger.warn(warning);
    if (restart.length > 0) logger.warn({ restart }, 'some settings that have changed need a restart');
    logger.info({ actor: change.actor, changed }, 'the configuration was reloaded');
    if (changed.length === 0) return;
    const what = { subject: 'configuration', before: null, after: { changed } };
    try {
      await registry.appendAudit({ ...change, action: 'config.reload', ...what });
    } catch (error) {
      logger.error({ err: error }, 'the reload is missing in the audit log');
    }
  }
}

function nothing(): void {
  // What comes of it is told to who asked for it.
}
