import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonTraceSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Agent } from 'node:http';
import type { TraceSettings } from '../tracing.ts';

const FORMATS = {
  'http/protobuf': { serializer: ProtobufTraceSerializer, contentType: 'application/x-protobuf' },
  'http/json': { serializer: JsonTraceSerializer, contentType: 'application/json' },
};

export interface OpenExporter {
  readonly exporter: SpanExporter;
  /** Closes its connections, whatever they wait for, and opens none any more. */
  readonly disconnect: () => void;
}

/**
 * Sends spans by OTLP over HTTP. What the settings do not say (headers, compression, certificates), the SDK reads from
 * the environment. Put together here, because the packages with an exporter for each format differ only in this.
 */
export function openExporter({ url, protocol, exportTimeoutMs }: TraceSettings): OpenExporter {
  const { serializer, contentType } = FORMATS[protocol];
  const given = { url, timeoutMillis: exportTimeoutMs };
  const options = convertLegacyHttpOptions(given, 'TRACES', 'v1/traces', { 'Content-Type': contentType });
  let agent: Agent | null = null;
  let isOpen = true;
  // Asked for by every attempt: also by the next one of an export that the SDK repeats after a pause.
  const headers = async () => {
    if (!isOpen) throw new Error('the gateway has stopped');
    return options.headers();
  };
  const agentFactory = async (scheme: string) => (agent = await options.agentFactory(scheme));
  const delegate = createOtlpHttpExportDelegate(
    { ...options, headers, agentFactory },
    serializer,
    `otlp_${protocol.replace('/', '_')}_span_exporter`,
    TraceExporterMetricsHelper,
    undefined,
  );
  return {
    exporter: new OTLPExporterBase<ReadableSpan[]>(delegate),
    disconnect() {
      isOpen = false;
      agent?.destroy();
    },
  };
}
