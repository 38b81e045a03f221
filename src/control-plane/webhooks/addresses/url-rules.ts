import { isIP } from 'node:net';
import { RegistryError } from '../../../base/error-types.ts';
import type { AddressCheck } from '../webhooks.ts';
import type { AddressRules } from './address-rules.ts';
import type { Resolve } from './resolver.ts';

export interface UrlRulesSettings {
  readonly rules: Pick<AddressRules, 'allows'>;
  /** `events.ports`; null: any. */
  readonly ports: readonly number[] | null;
  readonly resolve: Resolve;
}

const MAX_LENGTH = 2000;
const LOOPBACK = '127.0.0.1';

/** What must hold of a webhook's URL when it is made. Addresses are checked again on every connection. */
export class UrlRules implements AddressCheck {
  readonly #settings: UrlRulesSettings;

  constructor(settings: UrlRulesSettings) {
    this.#settings = settings;
  }

  async check(text: string): Promise<string> {
    const url = this.checkForm(text);
    const addresses = await this.#addressesOf(url);
    if (addresses.every((address) => this.#settings.rules.allows(address, url.protocol))) return url.href;
    // Not which one: names of private networks are nobody else's business.
    throw notAllowed(
      url.protocol === 'https:'
        ? `the host ${hostOf(url)} leads to an address that is not public`
        : 'the URL must be https: plain HTTP goes only to private addresses that events.allowPrivate names',
    );
  }

  /** What can be said without looking up its name. @throws RegistryError `webhook_address_not_allowed` */
  checkForm(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || text.length > MAX_LENGTH) throw notAllowed('the URL is not valid');
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notAllowed('the URL must be https');
    if (url.username !== '' || url.password !== '') throw notAllowed('the URL must not hold a user or a password');
    if (url.hash !== '' || url.href.includes('#')) throw notAllowed('the URL must not have a fragment');
    const { ports } = this.#settings;
    if (ports !== null && !ports.includes(portOf(url))) {
      throw notAllowed(`the port must be one of ${ports.join(', ')}`);
    }
    return url;
  }

  async #addressesOf(url: URL): Promise<readonly string[]> {
    const host = hostOf(url);
    if (isIP(host) !== 0) return [host];
    let addresses: readonly string[];
    try {
      addresses = await this.#settings.resolve(host);
    } catch {
      addresses = [];
    }
    if (addresses.length === 0) throw notAllowed(`the name ${host} cannot be found: check it, or try again`);
    return isLocalName(host) ? [LOOPBACK, ...addresses] : addresses;
  }
}

/** The name or address that a URL leads to: IPv6 without brackets, a name without a dot at its end. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** A name of this machine, whatever a name server says (RFC 6761, 6.3). */
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function notAllowed(message: string): RegistryError {
  return new RegistryError('webhook_address_not_allowed', message);
}
