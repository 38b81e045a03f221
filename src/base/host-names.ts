import { ADDRCONFIG, lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

type Addresses = readonly LookupAddress[];

/** Finds the addresses of a name; rejects with the error of the system's resolver. */
type FindAddresses = (name: string) => Promise<Addresses>;

/** How long a connection waits for the resolver before it uses the last known addresses. */
const LOOKUP_WAIT_MS = 200;
/** The name does not exist. Any other error may be temporary. */
const NO_SUCH_NAME = 'ENOTFOUND';

/**
 * Resolves configured host names. The system's resolver uses two of the process's threads and cannot be interrupted. If
 * every connection called it, a single name with slow servers would block all other lookups. So names are resolved one
 * at a time, concurrent callers share a lookup, and a name with known addresses does not wait for a slow answer.
 */
export class HostNames {
  readonly #find: FindAddresses;
  readonly #lookupWaitMs: number;
  /** The last known addresses, by name. The number of configured names limits the size of the map. */
  readonly #known = new Map<string, Addresses>();
  readonly #asked = new Map<string, Promise<Addresses>>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #resolve = callbackify((name: string) => this.#addressesOf(name));

  constructor(find: FindAddresses = findAddresses, lookupWaitMs = LOOKUP_WAIT_MS) {
    this.#find = find;
    this.#lookupWaitMs = lookupWaitMs;
  }

  /** The `lookup` option of `net.connect`. */
  readonly lookup: LookupFunction = (name, { all }, done) => {
    this.#resolve(name, (error, addresses) => {
      if (error !== null) return done(error, []);
      const [first] = addresses;
      if (all === true) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family);
    });
  };

  #addressesOf(name: string): Promise<Addresses> {
    const found = this.#ask(name);
    const known = this.#known.get(name);
    if (known === undefined) return found;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, this.#lookupWaitMs, known);
      found.then(resolve, (error: NodeJS.ErrnoException) => {
        if (error.code === NO_SUCH_NAME) reject(error);
        else resolve(known);
      });
      found.finally(() => clearTimeout(timer)).catch(() => undefined);
    });
  }

  #ask(name: string): Promise<Addresses> {
    let asked = this.#asked.get(name);
    if (asked === undefined) {
      asked = this.#inTurn(name);
      this.#asked.set(name, asked);
    }
    return asked;
  }

  async #inTurn(name: string): Promise<Addresses> {
    const before = this.#last;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#last = over;
    await before;
    try {
      const addresses = await this.#find(name);
      this.#known.set(name, addresses);
      return addresses;
    } finally {
      this.#asked.delete(name);
      end();
    }
  }
}

/** Resolves a name as `net.connect` does by default. */
function findAddresses(name: string): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true, hints: ADDRCONFIG }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });
}

/** Shared by all upstreams. Its lookups use at most one of the resolver's two threads. */
export const targetNames = new HostNames();
/**
 * For Redis, PostgreSQL and identity providers. Its lookups use the second thread, so a slow target name cannot delay
 * them.
 */
export const serverNames = new HostNames();
