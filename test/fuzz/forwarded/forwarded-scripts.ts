import * as fc from 'fast-check';

/** An address as numbers: four octets, or eight groups of 16 bits. */
export type Address = readonly number[];

/** An item of X-Forwarded-For, as some proxy writes it. */
interface Item {
  readonly text: string;
  /** Null if the text is no address. */
  readonly address: Address | null;
}

/** A request, and the headers in which proxies report its origin. */
export interface ForwardedScript {
  /** The address at the other end of the socket. */
  readonly sender: Item & { readonly address: Address };
  /** The items of X-Forwarded-For, oldest first. Null if the header is absent. */
  readonly items: readonly Item[] | null;
  /** The texts between and around the items. They are repeated if there are too few. */
  readonly separators: readonly string[];
  readonly scheme: string | null;
  readonly host: string | null;
  readonly isEncrypted: boolean;
}

export const TRUSTED_RANGES = ['10.0.0.0/8', '127.0.0.1', '2001:db8:ffff::/48'];

/** True if the address is in one of the trusted ranges. */
export function isTrusted(address: Address): boolean {
  const [first, second, third] = address;
  if (address.length === 4) return first === 10 || address.join('.') === '127.0.0.1';
  return first === 0x2001 && second === 0xdb8 && third === 0xffff;
}

const octet = fc.nat(255);
const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
const ipv4 = fc.oneof(
  fc.tuple(fc.constant(203), fc.constant(0), fc.constant(113), fc.nat(7)),
  fc.tuple(fc.constant(10), octet, octet, octet),
  fc.constant([127, 0, 0, 1] as const),
  fc.tuple(fc.integer({ min: 11, max: 126 }), octet, octet, octet),
);
const ipv6 = fc.oneof(
  fc.tuple(fc.constant(0x2001), fc.constant(0xdb8), fc.constant(0xffff), group, group, group, group, group),
  fc.tuple(fc.constant(0x2001), fc.constant(0xdb8), fc.nat(3), fc.nat(3), group, group, group, group),
  fc.tuple(fc.integer({ min: 0x2000, max: 0x3fff }), group, group, group, group, group, group, group),
);

const hex = (numbers: Address) => numbers.map((number) => number.toString(16));

/** Formats an address in the usual spelling (RFC 5952), which the URL parser provides. */
export function canonical(address: Address): string {
  if (address.length === 4) return address.join('.');
  return new URL(`http://[${hex(address).join(':')}]`).hostname.slice(1, -1);
}

function mapped(address: Address): string {
  const [a = 0, b = 0, c = 0, d = 0] = address;
  return `::ffff:${hex([a * 256 + b, c * 256 + d]).join(':')}`;
}

const IPV4_SPELLINGS: readonly ((address: Address, port: number) => string)[] = [
  canonical,
  (address, port) => `${canonical(address)}:${port}`,
  (address) => `::ffff:${canonical(address)}`,
  (address, port) => `[::FFFF:${canonical(address)}]:${port}`,
  mapped,
  (address) => `[${mapped(address)}]`,
];
const IPV6_SPELLINGS: readonly ((address: Address, port: number) => string)[] = [
  canonical,
  (address) => hex(address).join(':').toUpperCase(),
  (address) =>
    hex(address)
      .map((text) => text.padStart(4, '0'))
      .join(':'),
  (address) => `[${canonical(address)}]`,
  (address, port) => `[${canonical(address)}]:${port}`,
  (address, port) => `[${hex(address).join(':').toUpperCase()}]:${port}`,
  (address) => `${canonical(address)}%eth0`,
];

const spelled = fc
  .tuple(fc.oneof(ipv4, ipv6), fc.nat(100), fc.nat(65_535))
  .map(([address, spelling, port]): Item & { readonly address: Address } => {
    const spellings = address.length === 4 ? IPV4_SPELLINGS : IPV6_SPELLINGS;
    return { text: spellings[spelling % spellings.length]!(address, port), address };
  });

const socketAddress = fc.tuple(fc.oneof(ipv4, ipv6), fc.boolean()).map(([address, isDualStack]) => {
  const text = canonical(address);
  return { text: isDualStack && address.length === 4 ? `::ffff:${text}` : text, address };
});

const noAddress = fc
  .oneof(
    fc.constantFrom(
      'unknown',
      '_hidden',
      '-',
      '1',
      '256.1.1.1',
      '010.0.0.1',
      '1.2.3',
      ':443',
      '[]',
      '::1::',
      'localhost',
    ),
    fc
      // An item with a zone is left out, because the text after it may be a part of the zone.
      .tuple(
        spelled.filter(({ text }) => !text.includes('%')),
        fc.constantFrom('x$', '$x', '"$"', 'for=$', '$:999999', '[$', '$]', '$/8', '$ $'),
      )
      .map(([{ text }, broken]) => broken.replaceAll('$', text)),
  )
  .map((text): Item => ({ text, address: null }));

export const forwardedScripts: fc.Arbitrary<ForwardedScript> = fc.record({
  sender: socketAddress,
  items: fc.option(
    fc.array(fc.oneof({ weight: 5, arbitrary: spelled }, { weight: 1, arbitrary: noAddress }), { maxLength: 6 }),
  ),
  separators: fc.array(fc.constantFrom(',', ', ', ' ,', ',,', ' , , ', ',\t'), { minLength: 1, maxLength: 4 }),
  scheme: fc.option(fc.constantFrom('https', 'http')),
  host: fc.option(fc.constantFrom('api.example.com', 'api.example.com:8443')),
  isEncrypted: fc.boolean(),
});
