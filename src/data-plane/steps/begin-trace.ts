import type { IsTrustedProxy } from '../../http/addresses.ts';
import { RequestTrace } from '../../telemetry/traces/request-trace.ts';
import type { Tracing } from '../../telemetry/traces/tracing.ts';
import type { Step } from '../exchange/exchange.ts';

/** Continues the trace of the request, or begins a new one, and decides whether the trace is sampled. */
export function createBeginTraceStep(tracing: Tracing, isTrustedProxy: IsTrustedProxy): Step {
  return function trace(exchange) {
    const { req } = exchange;
    const { traceparent, tracestate } = req.headers as Readonly<Record<string, string | undefined>>;
    exchange.trace = new RequestTrace(tracing, traceparent, tracestate, () => isTrustedProxy(req));
    return undefined;
  };
}
