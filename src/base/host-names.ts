import { ADDRCONFIG, lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

type Addresses = readonly LookupAddress[];

/** Resolves a name to its addresses. Rejects with the error of the system's resolver. */
type FindAddresses = (name: string) => Promise<Addresses>;

/** How long a connection waits for the resolver before using the last known addresses. */
const LOOKUP_WAIT_MS = 200;
/** The code of the error for a name that does not exist. Any other error may be temporary. */
const NO_SUCH_NAME = 'ENOTFOUND';

/**
 * Resolves configured host names, so that a slow DNS server for one name does not block lookups of other names. The
 * system's resolver runs on only two threads of the process and cannot be interrupted. So names are resolved one at a
 * time, concurrent callers share a lookup, and a slow lookup falls back to the last known addresses.
 */
export class HostNames {
  readonly #find: FindAddresses;
  readonly #lookupWaitMs: number;
  /** The last known addresses by name. The map is bounded because only configured names are resolved. */
  readonly #known = new Map<string, Addresses>();
  readonly #pendingLookups = new Map<string, Promise<Addresses>>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #resolve = callbackify((name: string) => this.#getAddresses(name));

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

  #getAddresses(name: string): Promise<Addresses> {
    const newAddresses = this.#shareLookup(name);
    const knownAddresses = this.#known.get(name);
    if (knownAddresses === undefined) return newAddresses;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, this.#lookupWaitMs, knownAddresses);
      newAddresses.then(resolve, (error: NodeJS.ErrnoException) => {
        if (error.code === NO_SUCH_NAME) reject(error);
        else resolve(knownAddresses);
      });
      newAddresses.finally(() => clearTimeout(timer)).catch(() => undefined);
    });
  }

  #shareLookup(name: string): Promise<Addresses> {
    let pending = this.#pendingLookups.get(name);
    if (pending === undefined) {
      pending = this.#lookUpInTurn(name);
      this.#pendingLookups.set(name, pending);
    }
    return pending;
  }

  async #lookUpInTurn(name: string): Promise<Addresses> {
    const before = this.#last;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last = ended;
    await before;
    try {
      const addresses = await this.#find(name);
      this.#known.set(name, addresses);
      return addresses;
    } finally {
      this.#pendingLookups.delete(name);
      end();
    }
  }
}

/** Resolves a name like `net.connect` does by default. */
function findAddresses(name: string): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true, hints: ADDRCONFIG }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });
}

/** The names of targets. Lookups use at most one of the resolver's two threads. */
export const targetNames = new HostNames();
/**
 * The names of Redis, PostgreSQL and identity providers. They have the resolver's second thread, so that a slow target
 * name cannot delay them.
 */
export const serverNames = new HostNames();
