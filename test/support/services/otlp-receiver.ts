import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { until } from '../until.ts';
import { listening, type HttpService } from './http-service.ts';

/** A span that was received. */
interface ReceivedSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'other';
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if the span has no parent. */
  readonly parentSpanId: string;
  readonly isParentRemote: boolean;
  readonly traceState: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
  readonly startMs: number;
  readonly endMs: number;
  /** The attributes of the resource. */
  readonly resource: Readonly<Record<string, string | number>>;
}

export interface OtlpReceiver extends HttpService {
  /** The spans that were received as JSON. */
  readonly spans: readonly ReceivedSpan[];
  /** All requests that were received. */
  readonly requests: readonly { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  /** The environment of a gateway that exports to this receiver as JSON, with a short delay. */
  readonly env: Record<string, string>;
  /** Sends the response. Default: 200. */
  respond: (req: IncomingMessage, res: ServerResponse) => void;
  /** Waits for this number of spans of a trace. Server spans come first. */
  trace(traceId: string, count: number): Promise<ReceivedSpan[]>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];
interface OtlpSpan extends Readonly<Record<'name' | 'traceId' | 'spanId', string>> {
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly kind: number;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly status: { readonly code?: number };
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const KINDS = new Map<number, ReceivedSpan['kind']>([
  [2, 'server'],
  [3, 'client'],
]);
const IS_REMOTE = 0x200;
const ERROR = 2;

/** Starts a receiver of traces over OTLP/HTTP, like a collector. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver['requests'][number][] = [];
  const server = createServer(async (req, res) => {
    req.on('error', () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push({ url: req.url ?? '', headers: req.headers, body });
    receiver.respond(req, res);
    if (req.headers['content-type'] === 'application/json')
      spans.push(...listSpans(JSON.parse(String(body)) as OtlpBody));
  });
  const service = await listening(server);
  const receiver: OtlpReceiver = {
    ...service,
    spans,
    requests,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: service.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      // The timeout is shorter than the pause before a retry, so that no export continues after a test.
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    },
    respond: (_, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    async trace(traceId, count) {
      const found = () => spans.filter((span) => span.traceId === traceId);
      await until(() => found().length >= count);
      return found().toSorted((a, b) => b.kind.localeCompare(a.kind) || a.startMs - b.startMs);
    },
  };
  return receiver;
}

function listSpans({ resourceSpans }: OtlpBody): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => received(span, toValues(resource.attributes)))),
  );
}

function received(span: OtlpSpan, resource: ReceivedSpan['resource']): ReceivedSpan {
  return {
    name: span.name,
    kind: KINDS.get(span.kind) ?? 'other',
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    isParentRemote: (span.flags & IS_REMOTE) !== 0,
    traceState: span.traceState ?? '',
    attributes: toValues(span.attributes),
    isError: span.status.code === ERROR,
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    resource,
  };
}

function toValues(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
}
