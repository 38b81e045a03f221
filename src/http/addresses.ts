import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Logger } from 'pino';
import proxyAddr from 'proxy-addr';
import { cachedByName } from './headers.ts';
import { withoutKeys } from './redact-keys.ts';

/**
 * Finds the client address of a request: the address of the socket or, behind `trustedProxies`, the address that they
 * report in X-Forwarded-For.
 */
export type ClientAddress = (req: IncomingMessage) => string;

/**
 * Called when a trusted proxy reports something that is not an address.
 *
 * @param reportedBy the proxy's address
 */
type OnMalformedAddress = (value: string, reportedBy: string) => void;

/**
 * Reads X-Forwarded-For. Each proxy appends the address that it sees, so the header is read from its end, up to the
 * first address that does not belong to a trusted proxy. A value that is not an address counts as the address of the
 * proxy that reported it. Callers then share the limits of that proxy, instead of evading their own limits.
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

/**
 * The address at the other end of a connection. An IPv4 address has the same spelling whether or not the listener also
 * accepts IPv6.
 */
export function findSender({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress.startsWith(MAPPED_IPV4) ? remoteAddress.slice(MAPPED_IPV4.length) : remoteAddress;
}

/** The prefix with which sockets write an IPv4 address as an IPv6 address. */
const MAPPED_IPV4 = '::ffff:';

/** The last item of a list before a position. Empty items have no meaning (RFC 9110, 5.6.1), so they are skipped. */
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

/**
 * Some proxies append the port. IPv6 addresses are then in brackets (RFC 3986, 3.2.2), and some proxies always write
 * them that way.
 */
const IPV4_AND_PORT = /^([\d.]+):\d{1,5}$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;

/**
 * The address in a value that a proxy reports, with or without a port.
 *
 * @returns the address in canonical form; null if the value is not an address
 */
function parseReportedAddress(value: string): string | null {
  const inBrackets = IN_BRACKETS.exec(value)?.[1];
  const text = inBrackets ?? IPV4_AND_PORT.exec(value)?.[1] ?? value;
  const family = isIP(text);
  if (family === 0 || (family === 4 && inBrackets !== undefined)) return null;
  if (family === 4) return text;
  // Remove the zone of a link-local address, because it is a name on the proxy's machine.
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
  // Behind proxies, requests come from few addresses, so the answers are cached.
  const isTrusted = cachedByName(createIsTrustedAddress(trustedProxies));
  return ({ socket }) => isTrusted(findSender(socket));
}

/** @param trustedProxies addresses and CIDR ranges */
function createIsTrustedAddress(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (address) => trusted(address, 0);
}

/** The proxies that are trusted at the moment. A reload replaces them, for open connections too. */
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
    // `proxyAddr` also accepts names of ranges, and numbers: it would read 010.0.0.7 as 8.0.0.7.
    return /^[0-9a-f.:]+(\/[1-9]\d*)?$/i.test(text) && isIP(text.split('/', 1)[0] ?? '') !== 0;
  } catch {
    return false;
  }
}

const allowed = new WeakMap<readonly string[], (address: string) => boolean>();

/** @param ranges addresses and CIDR ranges; each list is compiled only on first use */
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
 * The range of addresses that is recorded in place of an address: the /24 of an IPv4 address, the /48 of an IPv6
 * address. A range points to an organization rather than to a person. Null if the text is not an address.
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
