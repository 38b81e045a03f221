import type { z } from 'zod';
import type { Faults } from '../../base/configuration-faults.ts';
import type { TraceSettings } from '../../telemetry/traces/tracing.ts';
import type { Environment } from '../environment.ts';
import { traceVariables } from './trace-variables.ts';

type Values = z.infer<typeof traceVariables>;

/**
 * Reads the `OTEL_*` variables; an empty one counts as not set.
 *
 * @returns null if traces are not exported: then the variables may be for other programs, and are not checked
 */
export function readTraceSettings(env: Environment, faults: Faults): TraceSettings | null {
  if (!isAskedFor(env)) return null;
  const given = Object.fromEntries(
    Object.keys(traceVariables.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const parsed = traceVariables.safeParse(given, { reportInput: true });
  if (parsed.success) return settingsOf(parsed.data);
  faults.addZod(parsed.error, () => 'environment');
  return null;
}

function isAskedFor(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
}

function settingsOf(values: Values): TraceSettings {
  const maxQueued = values.OTEL_BSP_MAX_QUEUE_SIZE;
  return {
    url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? tracesBelow(values.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''),
    protocol: values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL,
    ...samplingOf(values),
    maxQueued,
    maxBatch: Math.min(values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, maxQueued),
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMs: values.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? values.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}

/** The endpoint is for all signals; each has a path of its own below it. */
function tracesBelow(endpoint: string): string {
  return `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function samplingOf({
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: Values): Pick<TraceSettings, 'ratio' | 'isParentBased'> {
  const isParentBased = sampler.startsWith('parentbased_');
  if (sampler.endsWith('always_on')) return { ratio: 1, isParentBased };
  return { ratio: sampler.endsWith('always_off') ? 0 : ratio, isParentBased };
}
