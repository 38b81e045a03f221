import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Finds the address a request comes from: the socket's, or across `trustedProxies` what they say in X-Forwarded-For. */
export type ClientAddress = (req: IncomingMessage) => string;

/** @param trustedProxies addresses and CIDR ranges */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, trusted) ?? '';
}

/** What counts as one party: an IPv4 address, or a /64 of IPv6, which is what one subscriber has. */
export function partyOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
