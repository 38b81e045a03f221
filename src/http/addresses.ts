import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Logger } from 'pino';
import proxyAddr from 'proxy-addr';
import { cachedByName } from './headers.ts';
import { withoutKeys } from './redact-keys.ts';

/**
 * Finds the client address of a request: the socket's, or behind `trustedProxies` the one that they report in
 * X-Forwarded-For.
 */
export type ClientAddress = (req: IncomingMessage) => string;

/**
 * Called when a trusted proxy reports something that is no address.
 *
 * @param reportedBy the proxy's address
 */
type OnMalformedAddress = (value: string, reportedBy: string) => void;

/**
 * Reads X-Forwarded-For from its end, since each proxy appends the address that it sees, up to the first address that
 * no trusted proxy has. A value that is no address counts as the address of the proxy that reported it: callers then
 * share the limits of that proxy, instead of evading theirs.
 *
 * @param trustedProxies addresses and CIDR ranges
 */
export function createClientAddress(trustedProxies: readonly string[], onMalformed: OnMalformedAddress): ClientAddress {
  const isTrusted = createIsTrustedAddress(trustedProxies);
  return function clientAddress({ socket, headers }) {
    let address = findSender(socket);
    const chain = (headers['x-forwarded-for'] as string | undefined) ?? '';
    for (let end = chain.length; end > 0 && isTrusted(address);) {
      const { value, start } = lastItem(chain, end);
      if (value === '') break;
      const reported = parseReportedAddress(value);
      if (reported === null) {
        onMalformed(value, address);
        break;
      }
      address = reported;
      end = start;
    }
    return address;
  };
}

/** The address at the other end of a connection, in one spelling whether or not the listener also takes IPv6. */
export function findSender({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress.startsWith(MAPPED_IPV4) ? remoteAddress.slice(MAPPED_IPV4.length) : remoteAddress;
}

/** How sockets write an IPv4 address as an IPv6 address. */
const MAPPED_IPV4 = '::ffff:';

/** The last item of a list before a position, without the empty ones, which mean nothing (RFC 9110, 5.6.1). */
function lastItem(list: string, before: number): { readonly value: string; readonly start: number } {
  let value = '';
  let end = before;
  while (value === '' && end > 0) {
    const start = list.lastIndexOf(',', end - 1);
    value = list.slice(start + 1, end).trim();
    end = start;
  }
  return { value, start: end };
}

/** Some proxies append the port, and write IPv6 addresses in brackets then (RFC 3986, 3.2.2), or always. */
const IPV4_AND_PORT = /^([\d.]+):\d{1,5}$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;

/**
 * The address in a value that a proxy reports, with or without a port.
 *
 * @returns in one spelling for each address; null if the value is none
 */
function parseReportedAddress(value: string): string | null {
  const inBrackets = IN_BRACKETS.exec(value)?.[1];
  const text = inBrackets ?? IPV4_AND_PORT.exec(value)?.[1] ?? value;
  const family = isIP(text);
  if (family === 0 || (family === 4 && inBrackets !== undefined)) return null;
  if (family === 4) return text;
  // The zone of a link-local address is a name on the proxy's machine.
  return ipaddr.process(text.split('%', 1)[0]!).toString();
}

/** Warns only once, because a proxy that sends malformed addresses does so with every request. */
export function warnOfMalformedAddress(logger: Logger): OnMalformedAddress {
  let warned = false;
  return function onMalformed(value, reportedBy) {
    if (warned) return;
    warned = true;
    const shown = withoutKeys(value.slice(0, MAX_LOGGED_LENGTH));
    logger.warn({ proxy: reportedBy, value: shown }, 'X-Forwarded-For from a trusted proxy has no address');
  };
}

const MAX_LOGGED_LENGTH = 100;

/** Whether the request's own connection comes from a trusted proxy. */
export type IsTrustedProxy = (req: IncomingMessage) => boolean;

/** @param trustedProxies addresses and CIDR ranges */
export function createIsTrustedProxy(trustedProxies: readonly string[]): IsTrustedProxy {
  if (trustedProxies.length === 0) return () => false;
  // Behind proxies, requests come from few addresses.
  const isTrusted = cachedByName(createIsTrustedAddress(trustedProxies));
  return ({ socket }) => isTrusted(findSender(socket));
}

/** @param trustedProxies addresses and CIDR ranges */
function createIsTrustedAddress(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (address) => trusted(address, 0);
}

/** The proxies that are trusted now. A reload replaces them, for open connections too. */
export class TrustedProxies {
  #isTrusted: (address: string) => boolean;

  constructor(ranges: readonly string[]) {
    this.#isTrusted = createIsTrustedAddress(ranges);
  }

  readonly includes = (address: string): boolean => this.#isTrusted(address);

  replace(ranges: readonly string[]): void {
    this.#isTrusted = createIsTrustedAddress(ranges);
  }
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
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

/**
 * The range of addresses that is recorded in place of an address, because it points to an organization rather than to a
 * person: the /24 of an IPv4 address, the /48 of an IPv6 address. Null if the text is no address.
 */
export function toSite(address: string): string | null {
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
