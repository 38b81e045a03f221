import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Refused } from './refused.ts';
import type { Handler } from './send-response.ts';
import { asksForUpgrade, framingFault, hasBody, isBodyPending } from '../../http/framing.ts';

/**
 * Refuses requests that two parsers could read differently, and serves nothing that follows them on their connection.
 * Nothing here takes an upgrade, so a request for one is served like any other and is the last of its connection. So is
 * a request whose response begins before its body has arrived.
 */
export function createFramingCheck(): Handler {
  const finished = new WeakSet<Socket>();
  return function checkFraming(req, res, next) {
    if (finished.has(req.socket)) return;
    const fault = framingFault(req);
    if (fault !== null || asksForUpgrade(req)) {
      finished.add(req.socket);
      res.shouldKeepAlive = false;
    }
    if (fault !== null) throw new Refused('bad_request', { message: fault });
    if (!hasBody(req)) return next();
    closeIfBodyPending(res);
    // A short body in the packet that brought the head is parsed by then.
    setImmediate(() => next());
  };
}

/** Decides when the response begins. An own property, because Express replaces the prototype of a response. */
function closeIfBodyPending(res: ServerResponse): void {
  const writeHead = res.writeHead.bind(res) as (...head: unknown[]) => ServerResponse;
  res.writeHead = (...head: unknown[]) => {
    if (isBodyPending(res.req)) res.shouldKeepAlive = false;
    return writeHead(...head);
  };
}
