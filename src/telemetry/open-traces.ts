import type { Logger } from 'pino';
import { VERSION } from '../base/version.ts';
import type { TraceMetrics } from './metrics/trace-metrics.ts';
import type { TraceSettings, Tracing } from './traces/tracing.ts';

/** Begins to export traces. OpenTelemetry is loaded only where the environment asks for it. */
export async function openTraces(settings: TraceSettings, metrics: TraceMetrics, logger: Logger): Promise<Tracing> {
  const { openTracing } = await import('./traces/sdk/open-tracing.ts');
  const tracing = openTracing(settings, VERSION, metrics, logger);
  const { ratio, isParentBased } = settings;
  logger.info({ receiver: new URL(settings.url).origin, ratio, isParentBased }, 'traces are exported');
  return tracing;
}
