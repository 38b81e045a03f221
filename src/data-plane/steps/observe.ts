import type { Step } from '../exchange/exchange.ts';
import type { RequestsInFlight } from '../admission/requests-in-flight.ts';
import type { RunningRequests } from '../exchange/run-steps.ts';
import { createRecord, type RequestObserver } from '../exchange/request-record.ts';

/** Creates the record of every request when its response ends, and passes it to the observers. */
export function createObserveStep(
  observers: readonly RequestObserver[],
  running: RunningRequests,
  inFlight: RequestsInFlight,
): Step {
  return function observe(exchange) {
    const { req, res } = exchange;
    // Both values are read now, because a service in this process may change them.
    const { method = '' } = req;
    const traceparent = req.headers['traceparent'] as string | undefined;
    res.once('close', () => {
      const { tunnel, inFlight: quotaInFlight } = exchange;
      const openTunnel = tunnel === null || tunnel.socket.closed ? null : tunnel.socket;
      if (openTunnel === null) running.end(exchange);
      else running.endAsConnection(exchange, openTunnel);
      if (quotaInFlight !== null) {
        // A refused handshake no longer counts as in flight, although its connection only closes in a moment.
        if (openTunnel === null || exchange.rawStatus === 0) inFlight.end(quotaInFlight);
        else openTunnel.once('close', () => inFlight.end(quotaInFlight));
      }
      const record = createRecord(exchange, method, traceparent);
      for (const notify of observers) notify(record);
    });
    return undefined;
  };
}
