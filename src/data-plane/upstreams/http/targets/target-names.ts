import { ADDRCONFIG, lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

type Addresses = readonly LookupAddress[];

/** Finds the addresses of a name; rejects with an error of the system's resolver. */
export type FindAddresses = (name: string) => Promise<Addresses>;

/** How long a connection waits before it goes where the name led to last. */
const PATIENCE_MS = 200;
/** That there is no such name. Any other error says only that it cannot be found now. */
const NO_SUCH_NAME = 'ENOTFOUND';

/**
 * The names of targets. The system's resolver works in two threads of the whole process, and cannot be interrupted:
 * if each connection asked by itself, a single name whose servers are slow would keep all others from being found,
 * those of Redis and of PostgreSQL too. So one name is asked for at a time, once for all who wait for it, and a name that
 * was found before does not wait for an answer that is late.
 */
export class TargetNames {
  readonly #find: FindAddresses;
  readonly #patienceMs: number;
  /** What was found last. As many as were ever configured. */
  readonly #known = new Map<string, Addresses>();
  readonly #asked = new Map<string, Promise<Addresses>>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #tell = callbackify((name: string) => this.#addressesOf(name));

  constructor(find: FindAddresses = findAddresses, patienceMs = PATIENCE_MS) {
    this.#find = find;
    this.#patienceMs = patienceMs;
  }

  /** For `net.connect`. */
  readonly lookup: LookupFunction = (name, { all }, done) => {
    this.#tell(name, (error, addresses) => {
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
      const timer = setTimeout(resolve, this.#patienceMs, known);
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

/** As `net.connect` does by itself. */
function findAddresses(name: string): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true, hints: ADDRCONFIG }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });
}
