import type { Socket } from 'node:net';
import { Refused } from './refused.ts';
import type { Handler } from './send-response.ts';
import { asksForUpgrade, framingFault } from '../../http/framing.ts';

/**
 * Refuses requests that two parsers could read differently, and serves nothing that follows them on their connection.
 * Nothing here takes an upgrade, so a request for one is served like any other and is the last of its connection.
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
    next();
  };
}
