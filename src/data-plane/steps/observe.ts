import type { Step } from '../exchange/exchange.ts';
import type { RequestsInFlight } from '../admission/requests-in-flight.ts';
import type { Running } from '../exchange/run-steps.ts';
import { createRecord, type RequestObserver } from '../exchange/request-record.ts';

/** Passes the record of every request to the observers when the response is sent or cut off. */
export function createObserve(
  observers: readonly RequestObserver[],
  running: Running,
  inFlight: RequestsInFlight,
): Step {
  return function observe(exchange) {
    const { req, res } = exchange;
    // Both values are read now, because a service in this process may change them.
    const { method = '' } = req;
    const traceparent = req.headers['traceparent'] as string | undefined;
    res.once('close', () => {
      const { tunnel, inFlight: counted } = exchange;
      const openTunnel = tunnel === null || tunnel.socket.closed ? null : tunnel.socket;
      if (openTunnel === null) running.ended(exchange);
      else running.continued(exchange, openTunnel);
      if (counted !== null) {
        // Stops counting a refused handshake: its connection is still open, but closes in a moment.
        if (openTunnel === null || exchange.rawStatus === 0) inFlight.end(counted);
        else openTunnel.once('close', () => inFlight.end(counted));
      }
      const record = createRecord(exchange, method, traceparent);
      for (const notify of observers) notify(record);
    });
    return undefined;
  };
}
