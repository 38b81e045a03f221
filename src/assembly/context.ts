import type { Logger } from 'pino';
import type { Clock } from '../base/time.ts';
import type { Config, FixedConfig, LiveConfig } from '../config/config.ts';
import { ConfigInForce } from '../config/in-force.ts';
import type { PreviewConfig } from '../config/preview-thread.ts';
import type { ReloadConfiguration } from '../control-plane/admin/resources/system.ts';
import type { RequestsPerMinute } from '../control-plane/portal/access/caller-limits.ts';
import { AdmissionMetrics } from '../data-plane/observers/admission-metrics.ts';
import { ValidationMetrics } from '../data-plane/observers/validation-metrics.ts';
import { RequestMetrics } from '../data-plane/observers/request-metrics.ts';
import { createMetrics, type GatewayMetrics } from '../telemetry/metrics/metrics.ts';
import type { DroppedLines } from '../telemetry/metrics/scraped-metrics.ts';

/** Dependencies that every part of a gateway shares. */
export interface Context {
  readonly fixed: FixedConfig;
  readonly inForce: ConfigInForce;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly processContext: ProcessContext;
}

/** Dependencies that the process gives to its gateway. */
export interface ProcessContext {
  /** Loads the configuration again. @throws ConfigError */
  readonly loadConfig: (before: LiveConfig) => Promise<Config>;
  /** Reads the configuration again, and finds the effects that a reload would have. @throws StartError */
  readonly previewConfig: PreviewConfig;
  readonly clock?: Clock | undefined;
  /** The output of the log, which counts dropped lines for a metric. */
  readonly log?: DroppedLines;
  /** The folder of the console's files; by default, that of the build. */
  readonly consoleFolder?: string;
  /** The folder of the portal's files; by default, that of the build. */
  readonly portalFolder?: string;
  /** How often the history is written. Tests set this to avoid waiting. */
  readonly historyFlushMs?: number;
  /** How often the last uses of keys are recorded. Tests set this to avoid waiting. */
  readonly lastUsesFlushMs?: number | undefined;
  /** Limit on an account's requests to the portal. Tests set this to avoid sending hundreds of requests. */
  readonly portalRequestsPerMinute?: RequestsPerMinute | undefined;
}

/** A running gateway. */
export interface Gateway {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** Null if the portal is not enabled. */
  readonly portalUrl: string | null;
  /** The URL of the portal in a browser; null if the portal has no pages. */
  readonly portalPagesUrl: string | null;
  /** Whether this start has filled an empty database. */
  readonly isFirstStart: boolean;
  /** The secret of the demo key on the first start of a demo installation; null otherwise. */
  readonly demoKey: string | null;
  /**
   * A link that opens the console and signs in once. Null except on the first start of an installation on this machine.
   */
  readonly consoleLink: string | null;
  /** Loads the configuration again and applies it. If it cannot be used, rejects and changes nothing. */
  readonly reload: ReloadConfiguration;
  /** Stops gracefully: finishes requests in progress, then saves and closes everything. */
  drain(): Promise<void>;
}

/** The metrics of a gateway. */
interface Metrics extends GatewayMetrics {
  readonly requests: RequestMetrics;
  readonly admission: AdmissionMetrics;
  readonly validation: ValidationMetrics;
}

export function createContext(config: Config, logger: Logger, processContext: ProcessContext): Context {
  const { clock = Date.now } = processContext;
  const metrics = createMetrics();
  const requests = new RequestMetrics(metrics.registry);
  const admission = new AdmissionMetrics(metrics.registry, clock);
  return {
    fixed: config.fixed,
    inForce: new ConfigInForce(config),
    metrics: { ...metrics, requests, admission, validation: new ValidationMetrics(metrics.registry) },
    logger,
    clock,
    processContext,
  };
}
