import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Logger } from 'pino';
import proxyAddr from 'proxy-addr';
import { cachedByName } from './headers.ts';
import { replaceKeys } from './redact-keys.ts';

/**
 * Finds the client address of a request: the address of the socket or, if that is a trusted proxy, the address that the
 * proxy reports in X-Forwarded-For.
 */
export type ClientAddress = (req: IncomingMessage) => string;

/**
 * Called when a trusted proxy reports something that is not an address.
 *
 * @param reportedBy the proxy's address
 */
type OnMalformedAddress = (value: string, reportedBy: string) => void;

/**
 * Creates the function that finds client addresses. Each proxy appends the address that it sees to X-Forwarded-For, so
 * the header is read from its end, up to the first address that is not a trusted proxy. If a value is not an address, the
 * address of the proxy that reported it is used. Its callers then share one limit, and none of them can evade it.
 *
 * @param trustedProxies addresses and CIDR ranges
 */
export function createClientAddress(trustedProxies: readonly string[], onMalformed: OnMalformedAddress): ClientAddress {
  const isTrusted = createIsTrustedAddress(trustedProxies);
  return function clientAddress({ socket, headers }) {
    let address = findSender(socket);
    const forwardedFor = (headers['x-forwarded-for'] as string | undefined) ?? '';
    for (let end = forwardedFor.length; end > 0 && isTrusted(address);) {
      const { value, start } = findLastItem(forwardedFor, end);
      if (value === '') break;
      const reportedAddress = parseReportedAddress(value);
      if (reportedAddress === null) {
        onMalformed(value, address);
        break;
      }
      address = reportedAddress;
      end = start;
    }
    return address;
  };
}

/**
 * Finds the address at the other end of a connection. An IPv4 address is spelled the same whether or not the listener
 * also accepts IPv6.
 */
export function findSender({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  return remoteAddress.startsWith(MAPPED_IPV4) ? remoteAddress.slice(MAPPED_IPV4.length) : remoteAddress;
}

/** The prefix with which sockets write an IPv4 address as an IPv6 address. */
const MAPPED_IPV4 = '::ffff:';

/** Finds the last item before a position in a comma-separated list. Skips empty items (RFC 9110, 5.6.1). */
function findLastItem(list: string, before: number): { readonly value: string; readonly start: number } {
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
 * Parses an address that a proxy reports, with or without a port.
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
export function createMalformedAddressWarning(logger: Logger): OnMalformedAddress {
  let hasWarned = false;
  return function onMalformed(value, reportedBy) {
    if (hasWarned) return;
    hasWarned = true;
    const safeValue = replaceKeys(value.slice(0, MAX_LOGGED_LENGTH));
    logger.warn({ proxy: reportedBy, value: safeValue }, 'X-Forwarded-For from a trusted proxy has no address');
  };
}

const MAX_LOGGED_LENGTH = 100;

/** Whether the request's own connection comes from a trusted proxy. */
export type IsTrustedProxy = (req: IncomingMessage) => boolean;

/** @param trustedProxies addresses and CIDR ranges */
export function createIsTrustedProxy(trustedProxies: readonly string[]): IsTrustedProxy {
  if (trustedProxies.length === 0) return () => false;
  // The results are cached, because behind proxies, requests come from few addresses.
  const isTrusted = cachedByName(createIsTrustedAddress(trustedProxies));
  return ({ socket }) => isTrusted(findSender(socket));
}

/** @param trustedProxies addresses and CIDR ranges */
function createIsTrustedAddress(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trusted = proxyAddr.compile([...trustedProxies]);
  return (address) => trusted(address, 0);
}

/** The proxies that are trusted at the moment. A reload replaces them, also for open connections. */
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

const checksByRanges = new WeakMap<readonly string[], (address: string) => boolean>();

/** @param ranges addresses and CIDR ranges; the list is compiled on first use, and cached by its identity */
export function isAllowedFrom(ranges: readonly string[], address: string): boolean {
  let isInRanges = checksByRanges.get(ranges);
  if (isInRanges === undefined) checksByRanges.set(ranges, (isInRanges = createIsTrustedAddress(ranges)));
  return isInRanges(address);
}

/** Returns the part of an address that identifies a subscriber: all of an IPv4 address, the /64 of an IPv6 address. */
export function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

/**
 * Returns the range that is recorded in place of an address: the /24 of an IPv4 address, the /48 of an IPv6 address. For
 * privacy: a range identifies an organization rather than a person.
 *
 * @returns null if the text is not an address
 */
export function toRecordedRange(address: string): string | null {
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
