import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
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

/** Whether a text is an IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  try {
    proxyAddr.compile(text);
    // It also takes names for ranges, and numbers: 010.0.0.7 would be 8.0.0.7.
    return /^[0-9a-f.:]+(\/[1-9]\d*)?$/i.test(text) && isIP(text.split('/', 1)[0] ?? '') !== 0;
  } catch {
    return false;
  }
}

const allowed = new WeakMap<readonly string[], (address: string) => boolean>();

/** @param ranges addresses and CIDR ranges; the same list is read once */
export function isAllowedFrom(ranges: readonly string[], address: string): boolean {
  let isIn = allowed.get(ranges);
  if (isIn === undefined) allowed.set(ranges, (isIn = createIsTrustedAddress(ranges)));
  return isIn(address);
}

/** The part of an address that identifies a subscriber: all of an IPv4 address, the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

/**
 * The range of addresses that is recorded in place of an address, because it points to an organization rather than to a
 * person: the /24 of an IPv4 address, the /48 of an IPv6 address. Null if the text is no address.
 */
export function siteOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
  const [first, second, third] = parsed.parts;
  return `${new ipaddr.IPv6([first!, second!, third!, 0, 0, 0, 0, 0]).toString()}/48`;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\]|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether a host, as in a URL, a socket or a setting, is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
