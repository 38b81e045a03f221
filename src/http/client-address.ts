import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/**
 * Finds the address a request comes from: the socket's, or behind `trustedProxies` the one they report in
 * X-Forwarded-For.
 */
export type ClientAddress = (req: IncomingMessage) => string;

/** @param trustedProxies addresses and CIDR ranges */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, trusted) ?? '';
}

/** Whether the request's own connection is that of a trusted proxy. */
export type IsTrustedProxy = (req: IncomingMessage) => boolean;

/** @param trustedProxies addresses and CIDR ranges */
export function createIsTrustedProxy(trustedProxies: readonly string[]): IsTrustedProxy {
  const isTrusted = createIsTrustedAddress(trustedProxies);
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '');
}

/** @param trustedProxies addresses and CIDR ranges */
export function createIsTrustedAddress(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (address) => trusted(address, 0);
}
