import { z } from 'zod';

const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' });
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0')
  .transform(Number);
const ratio = z
  .string()
  .transform(Number)
  .refine((number) => number >= 0 && number <= 1, 'must be a number from 0 to 1');

/** Those that keep what this gateway does not speak, such as gRPC, from being taken for granted. */
const protocol = z.enum(['http/protobuf', 'http/json']);

/** The variables of OpenTelemetry that Tollgate itself reads. Read only where traces are exported. */
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
