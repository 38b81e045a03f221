import { type DestinationStream, type Logger, pino } from 'pino';
import { SERVED } from '../../domain/error-codes.ts';
import type { RequestObserver, RequestRecord } from '../exchange/request-record.ts';

/** Logs one line per response. Neither query nor headers are logged: they may contain secrets. */
export function createAccessLog(logger: Logger): RequestObserver {
  const logResponse = createResponseLog(logger);
  return function accessLog(record) {
    const { credential, operation, outcome } = record;
    logResponse({
      requestId: record.requestId,
      traceId: record.traceId,
      keyId: credential?.keyId,
      plan: credential?.plan,
      method: record.method,
      operation: operation?.id,
      path: record.unmatchedPath ?? undefined,
      status: record.status || undefined,
      durationMs: Math.round(record.durationMs * 1000) / 1000,
      reason: outcome === SERVED ? undefined : outcome,
      shadow: findShadowedRefusal(record),
      aborted: record.aborted ? true : undefined,
    });
  };
}

/** Finds the reason why the request would have been refused if its plan were not in shadow mode. */
function findShadowedRefusal({ decision, outcome, isAboveConcurrent }: RequestRecord): string | undefined {
  if (isAboveConcurrent) return outcome === TOO_MANY ? undefined : TOO_MANY;
  return decision?.admitted === true && decision.outcome !== 'admitted' ? decision.outcome : undefined;
}

const TOO_MANY = 'too_many_concurrent_requests';

/** The fields of a line in the access log. Undefined fields are left out. */
interface ResponseLine {
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly keyId: string | undefined;
  readonly plan: string | undefined;
  readonly method: string | undefined;
  readonly operation: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly reason: string | undefined;
  readonly shadow: string | undefined;
  readonly aborted: true | undefined;
}

/** The parts of a logger that pino exposes to plug-ins: its bindings as a JSON fragment, and its destination. */
interface Internals {
  readonly [pino.symbols.chindingsSym]: string;
  readonly [pino.symbols.streamSym]: DestinationStream;
}

/**
 * Writes response lines exactly as the logger would, to the same destination. The logger would take several times as
 * long, because it inspects every field of every line, and this line is written for every request.
 */
export function createResponseLog(logger: Logger): (line: ResponseLine) => void {
  const internals = logger as unknown as Internals;
  const bindings = internals[pino.symbols.chindingsSym];
  const stream = internals[pino.symbols.streamSym];
  const { info, error } = pino.levels.values;

  return function logResponse(line) {
    const failed = line.status !== undefined && line.status >= 500;
    // The level may have changed since the last line.
    if (!logger.isLevelEnabled(failed ? 'error' : 'info')) return;
    let text = `{"level":${failed ? error : info},"time":${Date.now()}${bindings},"requestId":"${line.requestId}"`;
    if (line.traceId !== undefined) text += `,"traceId":"${line.traceId}"`;
    if (line.keyId !== undefined) text += `,"keyId":"${line.keyId}"`;
    if (line.plan !== undefined) text += `,"plan":${JSON.stringify(line.plan)}`;
    if (line.method !== undefined) text += `,"method":"${line.method}"`;
    if (line.operation !== undefined) text += `,"operation":${JSON.stringify(line.operation)}`;
    if (line.path !== undefined) text += `,"path":${JSON.stringify(line.path)}`;
    if (line.status !== undefined) text += `,"status":${line.status}`;
    text += `,"durationMs":${line.durationMs}`;
    if (line.reason !== undefined) text += `,"reason":"${line.reason}"`;
    if (line.shadow !== undefined) text += `,"shadow":"${line.shadow}"`;
    if (line.aborted === true) text += ',"aborted":true';
    stream.write(`${text},"msg":"response"}\n`);
  };
}
