import type { Exchange } from './exchange.ts';
import { GatewayResponse } from '../responses/response.ts';

/**
 * Writes a response of the gateway's own in one piece. Discards everything that an upstream has prepared so far.
 *
 * @param headers flat pairs, in addition to those of the exchange
 */
export function respond(
  { res, headers: own }: Exchange,
  status: number,
  headers: readonly string[],
  body: string | Buffer,
): void {
  GatewayResponse.takeBack(res);
  const length = String(Buffer.byteLength(body));
  res.writeHead(status, [...own, ...headers, 'Content-Length', length]);
  res.end(body);
}

/** Like `respond`, for a status that has no body. */
export function respondWithoutBody({ res, headers: own }: Exchange, status: number, headers: readonly string[]): void {
  GatewayResponse.takeBack(res);
  res.writeHead(status, [...own, ...headers]);
  res.end();
}
