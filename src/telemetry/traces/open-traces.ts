import type { Tracing } from './tracing.ts';
import type { StartContext } from '../../start-context.ts';
import { VERSION } from '../../base/version.ts';

/** Begins to export traces; null, and nothing of OpenTelemetry is loaded, if the environment does not ask for it. */
export async function openTraces({ config, logger, metrics, shutdown }: StartContext): Promise<Tracing | null> {
  const { traces: settings } = config;
  if (settings === null) return null;
  const { openTracing } = await import('./sdk/open-tracing.ts');
  const tracing = openTracing(settings, VERSION, metrics.traces, logger);
  shutdown.add('traces', () => tracing.close());
  const { ratio, isParentBased } = settings;
  logger.info({ receiver: new URL(settings.url).origin, ratio, isParentBased }, 'traces are exported');
  return tracing;
}
