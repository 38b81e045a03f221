import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Refused } from './refused.ts';
import type { Handler } from './send-response.ts';
import { asksForUpgrade, findFramingFault, hasBody, isBodyPending } from '../../http/framing.ts';

/**
 * Refuses a request that two parsers could read differently, and ignores everything that follows it on its connection.
 *
 * The API supports no upgrades. A request for an upgrade is served like any other, but it is the last on its
 * connection. A request whose response begins before its body has arrived is also the last on its connection.
 */
export function createFramingCheck(): Handler {
  const finishedSockets = new WeakSet<Socket>();
  return function checkFraming(req, res, next) {
    if (finishedSockets.has(req.socket)) return;
    const fault = findFramingFault(req);
    if (fault !== null || asksForUpgrade(req)) {
      finishedSockets.add(req.socket);
      res.shouldKeepAlive = false;
    }
    if (fault !== null) throw new Refused('bad_request', { message: fault });
    if (!hasBody(req)) return next();
    closeIfBodyPending(res);
    // Waits for one turn of the event loop. By then, Node has parsed a short body that arrived in the same packet as
    // the head.
    setImmediate(() => next());
  };
}

/**
 * Closes the connection after the response if the body is still incomplete when the response begins. `writeHead` is set
 * on the response itself, because Express replaces the prototype of a response.
 */
function closeIfBodyPending(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...head: unknown[]) => ServerResponse;
  res.writeHead = (...head: unknown[]) => {
    if (isBodyPending(res.req)) res.shouldKeepAlive = false;
    return writeHead(...head);
  };
}
