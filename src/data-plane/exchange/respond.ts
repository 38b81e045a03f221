import type { Exchange } from './exchange.ts';
import { GatewayResponse } from '../responses/response.ts';

/**
 * Sends a complete response of the gateway. Discards the headers that an upstream has set so far.
 *
 * @param headers in addition to the headers of the exchange, as a flat list of names and values
 */
export function respond(
  { res, headers: ownHeaders }: Exchange,
  status: number,
  headers: readonly string[],
  body: string | Buffer,
): void {
  GatewayResponse.takeBack(res);
  const length = String(Buffer.byteLength(body));
  res.writeHead(status, [...ownHeaders, ...headers, 'Content-Length', length]);
  res.end(body);
}

/** Like `respond`, for a status without a body. */
export function respondWithoutBody(
  { res, headers: ownHeaders }: Exchange,
  status: number,
  headers: readonly string[],
): void {
  GatewayResponse.takeBack(res);
  res.writeHead(status, [...ownHeaders, ...headers]);
  res.end();
}
