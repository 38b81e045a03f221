import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';

/**
 * Relays a response with the lowest-level interface of undici, with nothing between its parser and the response, and
 * without backpressure.
 *
 * @param writeHead writes the status and the header fields
 */
export function createRelayHandler(
  res: ServerResponse,
  writeHead: (status: number, headers: IncomingHttpHeaders) => void,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      writeHead(status, headers);
    },
    onResponseData(_controller, chunk) {
      res.write(chunk);
    },
    onResponseEnd() {
      res.end();
    },
    onResponseError() {
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end();
    },
  };
}
