import ipaddr from 'ipaddr.js';

/**
 * Which addresses webhooks are sent to. Whoever makes a webhook has the gateway call what he names: without these rules,
 * also what only the gateway's own network can reach (server-side request forgery).
 */

/** `events.allowPrivate`: none that is not public, all of them, or those in ranges such as `10.0.0.0/8`. */
export type AllowPrivate = boolean | readonly string[];

/** `public`: everybody may; `allowed`: the configuration allows it, over plain HTTP too; `refused`: nobody may. */
export type AddressKind = 'public' | 'allowed' | 'refused';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * All that is assigned for global use (RFC 4291, 2.4; the IANA registry of IPv6 address space). Outside of it are forms
 * that hold an IPv4 address, such as `::127.0.0.1`.
 */
const GLOBAL_IPV6: Range = ipaddr.parseCIDR('2000::/3');

export class AddressRules {
  readonly #allowAll: boolean;
  readonly #allowed: readonly Range[];

  constructor(allowPrivate: AllowPrivate) {
    this.#allowAll = allowPrivate === true;
    this.#allowed = typeof allowPrivate === 'boolean' ? [] : allowPrivate.map(rangeOf);
  }

  /** @param address an IP address, IPv6 without brackets; anything else is refused */
  kindOf(address: string): AddressKind {
    if (!ipaddr.isValid(address)) return 'refused';
    const parsed = ipaddr.parse(address);
    if (this.#allowed.some((range) => contains(range, parsed))) return 'allowed';
    if (isPublic(parsed)) return 'public';
    return this.#allowAll ? 'allowed' : 'refused';
  }

  /** Whether a connection to this address may be made, for a URL of this protocol. */
  allows(address: string, protocol: string): boolean {
    const kind = this.kindOf(address);
    return kind === 'allowed' || (kind === 'public' && protocol === 'https:');
  }
}

/** IPv4 inside of IPv6 (mapped, NAT64, 6to4, Teredo) has a range of its own there, and is never public. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}

function contains([network, bits]: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** One address is a range of one. */
function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
