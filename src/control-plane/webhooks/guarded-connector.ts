import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules, Resolve } from './address-rules.ts';

/** The host name now resolves to a forbidden address, whatever it resolved to when the webhook was created. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor() {
    super('the host resolves to an address that is not public');
  }
}

/** The host name has no address. */
export class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
}

export interface GuardedConnectorOptions {
  readonly rules: Pick<AddressRules, 'allows'>;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Certificates of authorities that are trusted instead of the default ones. */
  readonly ca?: string | undefined;
}

/**
 * Creates a connector that connects only to allowed addresses. It checks every address that the host name has at that
 * moment, and then the remote address of the actual connection.
 */
export function createGuardedConnector({
  rules,
  resolve,
  timeoutMs,
  ca,
}: GuardedConnectorOptions): buildConnector.connector {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => [
      protocol,
      buildConnector({
        timeout: timeoutMs,
        allowH2: false,
        rejectUnauthorized: true,
        ...(ca && { ca }),
        lookup: createCheckedLookup(protocol),
      }),
    ]),
  );

  function createCheckedLookup(protocol: string): LookupFunction {
    return function lookup(name, { all }, done) {
      const onFound = (addresses: readonly string[]) => {
        if (addresses.length === 0) throw new NameNotFound(`${name} has no address`);
        if (!addresses.every((address) => rules.allows(address, protocol))) throw new AddressRefused();
        const results = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) done(null, results);
        else done(null, results[0]!.address, results[0]!.family);
      };
      const onFailed = (error: Error) => done(error instanceof AddressRefused ? error : new NameNotFound(name), '', 0);
      resolve(name).then(onFound).catch(onFailed);
    };
  }

  return function connect(options, callback) {
    const { hostname, protocol } = options;
    const connector = connectors.get(protocol);
    const literal = hostname.replace(/^\[|\]$/g, '');
    const isForbidden = isIP(literal) !== 0 && !rules.allows(literal, protocol);
    // A literal address is checked here, because it is never looked up.
    if (connector === undefined || isForbidden) {
      callback(new AddressRefused(), null);
      return;
    }
    connector(options, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (rules.allows(socket.remoteAddress ?? '', protocol)) callback(null, socket);
      else {
        socket.destroy();
        callback(new AddressRefused(), null);
      }
    });
  };
}
