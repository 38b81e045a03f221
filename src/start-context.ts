import type { Clock } from './base/time.ts';
import type { Config } from './config/load.ts';
import type { GatewayMetrics } from './telemetry/metrics/metrics.ts';
import type { Logger } from 'pino';
import type { Shutdown } from './shutdown.ts';

/** What every step of the start uses. */
export interface StartContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: GatewayMetrics;
  readonly shutdown: Shutdown;
  /** How often the history is written; as usual, unless given. */
  readonly historyFlushMs?: number | undefined;
}
