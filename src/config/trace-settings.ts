import { z } from 'zod';
import type { Faults } from '../base/configuration-faults.ts';
import type { TraceConfig } from '../telemetry/traces/tracing.ts';
import type { Environment } from './environment.ts';

const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' });
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number greater than 0')
  .transform(Number);
const ratio = z
  .string()
  .transform(Number)
  .refine((number) => number >= 0 && number <= 1, 'must be a number from 0 to 1');

/** The supported protocols. Any other value, such as gRPC, is refused and not ignored. */
const protocol = z.enum(['http/protobuf', 'http/json']);

/** The OpenTelemetry variables that Tollgate reads, if traces are exported. */
export const traceVariables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber.prefault('10000'),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: wholeNumber.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default('tollgate'),
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'parentbased_traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'traceidratio',
      'always_on',
      'always_off',
    ])
    .default('parentbased_traceidratio'),
  OTEL_TRACES_SAMPLER_ARG: ratio.prefault('1'),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber.prefault('5000'),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber.prefault('512'),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber.prefault('2048'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_SDK_DISABLED: z.string().default('false'),
});

type TraceVariables = z.infer<typeof traceVariables>;

/**
 * Reads the `OTEL_*` variables. An empty variable counts as not set.
 *
 * @returns null if traces are not exported; the variables are not checked then, because they may be for other programs
 */
export function readTraceSettings(env: Environment, faults: Faults): TraceConfig | null {
  if (!isExportEnabled(env)) return null;
  const nonEmptyVariables = Object.fromEntries(
    Object.keys(traceVariables.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const parsed = traceVariables.safeParse(nonEmptyVariables, { reportInput: true });
  if (parsed.success) return toTraceConfig(parsed.data);
  faults.addZod(parsed.error, () => 'environment');
  return null;
}

function isExportEnabled(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false;
  return Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
}

function toTraceConfig(values: TraceVariables): TraceConfig {
  const maxQueued = values.OTEL_BSP_MAX_QUEUE_SIZE;
  return {
    url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? toTracesEndpoint(values.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''),
    protocol: values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL,
    ...toSampling(values),
    maxQueued,
    maxBatch: Math.min(values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, maxQueued),
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMs: values.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? values.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}

/** The endpoint for traces below the general endpoint, where each signal has its own path. */
function toTracesEndpoint(endpoint: string): string {
  return `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function toSampling({
  OTEL_TRACES_SAMPLER: sampler,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: TraceVariables): Pick<TraceConfig, 'ratio' | 'isParentBased'> {
  const isParentBased = sampler.startsWith('parentbased_');
  if (sampler.endsWith('always_on')) return { ratio: 1, isParentBased };
  return { ratio: sampler.endsWith('always_off') ? 0 : ratio, isParentBased };
}
