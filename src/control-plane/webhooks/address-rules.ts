import { RegistryError } from '../../domain/registry-error.ts';
import { isIP } from 'node:net';
import { Resolver as Dns } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';

/**
 * The addresses that webhooks may use. The gateway calls any URL that the creator of a webhook enters. Without these
 * rules, the URL could lead to hosts that only the gateway's own network can reach (server-side request forgery).
 */

/**
 * `events.allowPrivate`. False: only public addresses; true: all addresses; a list: also the addresses in ranges such
 * as `10.0.0.0/8`.
 */
export type AllowPrivate = boolean | readonly string[];

/**
 * `public`: allowed over HTTPS; `allowed`: the configuration allows it, even over plain HTTP; `refused`: never allowed.
 */
type AddressKind = 'public' | 'allowed' | 'refused';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * All addresses that are assigned for global use (RFC 4291, 2.4; the IANA registry of IPv6 address space). Forms that
 * contain an IPv4 address, such as `::127.0.0.1`, are outside of this range.
 */
const GLOBAL_IPV6: Range = ipaddr.parseCIDR('2000::/3');

export class AddressRules {
  readonly #allowAll: boolean;
  readonly #allowed: readonly Range[];

  constructor(allowPrivate: AllowPrivate) {
    this.#allowAll = allowPrivate === true;
    this.#allowed = typeof allowPrivate === 'boolean' ? [] : allowPrivate.map(parseRange);
  }

  /** @param address an IP address, IPv6 without brackets; any other text is `refused` */
  classify(address: string): AddressKind {
    if (!ipaddr.isValid(address)) return 'refused';
    const parsedAddress = ipaddr.parse(address);
    if (this.#allowed.some((range) => isInRange(range, parsedAddress))) return 'allowed';
    if (isPublic(parsedAddress)) return 'public';
    return this.#allowAll ? 'allowed' : 'refused';
  }

  /** Whether a connection to this address is allowed, for a URL with this protocol. */
  allows(address: string, protocol: string): boolean {
    const kind = this.classify(address);
    return kind === 'allowed' || (kind === 'public' && protocol === 'https:');
  }
}

/**
 * IPv4 addresses in IPv6 form (mapped, NAT64, 6to4, Teredo) are never public, because `range()` has separate names for
 * them.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isInRange(GLOBAL_IPV6, address);
}

function isInRange([network, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** A single address becomes a range with only that address. */
function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

interface UrlRulesOptions {
  readonly rules: Pick<AddressRules, 'allows'>;
  /** `events.ports`; null: any. */
  readonly ports: readonly number[] | null;
  readonly resolve: Resolve;
}

const MAX_URL_LENGTH = 2000;
const LOOPBACK = '127.0.0.1';

/** Checks a webhook's URL when it is created. Addresses are checked again on every connection. */
export class UrlRules {
  readonly #options: UrlRulesOptions;

  constructor(options: UrlRulesOptions) {
    this.#options = options;
  }

  /**
   * Checks a URL and every address that its host name resolves to.
   *
   * @returns the URL as `URL` writes it
   * @throws RegistryError `webhook_address_not_allowed`
   */
  async check(text: string): Promise<string> {
    const url = this.checkForm(text);
    const addresses = await this.#findAddresses(url);
    if (addresses.every((address) => this.#options.rules.allows(address, url.protocol))) return url.href;
    // The message does not contain the address, so that it reveals nothing about private networks.
    throw createNotAllowedError(
      url.protocol === 'https:'
        ? `the host ${readHost(url)} resolves to an address that is not public`
        : 'the URL must be https: plain HTTP is allowed only for private addresses in events.allowPrivate',
    );
  }

  /**
   * Checks a URL without looking up its name.
   *
   * @throws RegistryError `webhook_address_not_allowed`
   */
  checkForm(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || text.length > MAX_URL_LENGTH) throw createNotAllowedError('the URL is not valid');
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw createNotAllowedError('the URL must be https');
    if (url.username !== '' || url.password !== '')
      throw createNotAllowedError('the URL must not contain a user or a password');
    if (url.hash !== '' || url.href.includes('#')) throw createNotAllowedError('the URL must not have a fragment');
    const { ports } = this.#options;
    if (ports !== null && !ports.includes(readPort(url))) {
      throw createNotAllowedError(`the port must be one of ${ports.join(', ')}`);
    }
    return url;
  }

  async #findAddresses(url: URL): Promise<readonly string[]> {
    const host = readHost(url);
    if (isIP(host) !== 0) return [host];
    let addresses: readonly string[];
    try {
      addresses = await this.#options.resolve(host);
    } catch {
      addresses = [];
    }
    if (addresses.length === 0)
      throw createNotAllowedError(`the host name ${host} cannot be resolved: check it, or try again`);
    return isLocalName(host) ? [LOOPBACK, ...addresses] : addresses;
  }
}

/** Returns the host of a URL: IPv6 addresses without brackets, names without a final dot. */
function readHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

function readPort({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Whether a name always means this machine, without asking a name server (RFC 6761, 6.3). */
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function createNotAllowedError(message: string): RegistryError {
  return new RegistryError('webhook_address_not_allowed', message);
}

/**
 * Finds the addresses of a name, IPv4 and IPv6. Rejects if the name has no address, or if there is no answer in time.
 */
export type Resolve = (name: string) => Promise<readonly string[]>;

const DNS_TIMEOUT_MS = 2000;
const DNS_TRIES = 2;

/**
 * Creates a resolver that asks the name servers directly. The system's resolver uses a few threads that the whole
 * process shares, and slow names would occupy all of them. But only the system's resolver knows the names in the hosts
 * file. These names lead to private addresses, so it is needed only if private addresses are allowed.
 *
 * @param withHostNames whether to ask the system's resolver for names that the name servers cannot resolve
 */
export function createResolver(withHostNames: boolean): Resolve {
  const dns = new Dns({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const resolve4 = promisify(dns.resolve4.bind(dns)) as Resolve;
  const resolve6 = promisify(dns.resolve6.bind(dns)) as Resolve;

  return async function resolve(name) {
    const results = await Promise.allSettled([resolve4(name), resolve6(name)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    if (withHostNames) return (await lookup(name, { all: true })).map(({ address }) => address);
    throw results.find((result) => result.status === 'rejected')?.reason ?? new Error(`${name} has no address`);
  };
}
