import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/**
 * Finds the client address of a request: the socket's, or behind `trustedProxies` the one that they report in
 * X-Forwarded-For.
 */
export type ClientAddress = (req: IncomingMessage) => string;

/** @param trustedProxies addresses and CIDR ranges */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, trusted) ?? '';
}

/** Whether the request's own connection comes from a trusted proxy. */
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

/** The part of an address that identifies a subscriber: all of an IPv4 address, the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\]|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether a host, as in a URL, a socket or a setting, is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
