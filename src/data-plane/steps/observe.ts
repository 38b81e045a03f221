import type { Step } from '../exchange/exchange.ts';
import type { Running } from '../exchange/run-steps.ts';
import { recordOf, type RequestObserver } from '../exchange/request-record.ts';

/** Passes the record of every request to its observers when the response is sent or cut off. */
export function createObserve(observers: readonly RequestObserver[], running: Running): Step {
  return function observe(exchange) {
    const { req, res } = exchange;
    // Read now, because a service in this process may change them.
    const { method = '' } = req;
    const traceparent = req.headers['traceparent'] as string | undefined;
    res.once('close', () => {
      const { tunnel } = exchange;
      if (tunnel === null || tunnel.socket.closed) running.ended(exchange);
      else running.continued(exchange, tunnel.socket);
      const record = recordOf(exchange, method, traceparent);
      for (const notify of observers) notify(record);
    });
    return undefined;
  };
}
