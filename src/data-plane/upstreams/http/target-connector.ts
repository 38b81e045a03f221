import { ADDRCONFIG, lookup as systemLookup, type LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { Logger } from 'pino';
import { buildConnector } from 'undici';
import { StartError } from '../../../base/error-types.ts';
import { Certificate } from '../../../http/certificate.ts';

type Addresses = readonly LookupAddress[];

/** Finds the addresses of a name; rejects with the error of the system's resolver. */
export type FindAddresses = (name: string) => Promise<Addresses>;

/** How long a connection waits for the resolver before it uses the last known addresses. */
const LOOKUP_WAIT_MS = 200;
/** The name does not exist. Any other error may be temporary. */
const NO_SUCH_NAME = 'ENOTFOUND';

/**
 * Resolves the names of targets. The system's resolver uses two threads of the process and cannot be interrupted. If every
 * connection called it, one name with slow servers would block all other look-ups, including those of Redis and
 * PostgreSQL. So names are resolved one at a time, concurrent callers share a look-up, and a known name does not wait for
 * a slow answer.
 */
export class TargetNames {
  readonly #find: FindAddresses;
  readonly #lookupWaitMs: number;
  /** The last known addresses, by name. The number of configured names is the bound. */
  readonly #known = new Map<string, Addresses>();
  readonly #asked = new Map<string, Promise<Addresses>>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #tell = callbackify((name: string) => this.#addressesOf(name));

  constructor(find: FindAddresses = findAddresses, lookupWaitMs = LOOKUP_WAIT_MS) {
    this.#find = find;
    this.#lookupWaitMs = lookupWaitMs;
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

/** Resolves like `net.connect` by default. */
function findAddresses(name: string): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true, hints: ADDRCONFIG }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });
}

/** TLS to targets: trusted authorities, and the gateway's own certificate. PEM files. */
export interface TargetTls {
  /** The authorities that sign certificates of targets, instead of Node's own list. */
  readonly ca?: string | undefined;
  /** The gateway's client certificate; both or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface TargetConnector {
  /** Opens the sockets of connections to targets. */
  readonly connect: buildConnector.connector;
  close(): void;
}

/** Shared by all upstreams, like the resolver's threads. */
const names = new TargetNames();

/**
 * @param timeoutMs for connecting
 * @throws StartError if a file cannot be used
 */
export function createTargetConnector(
  timeoutMs: number,
  { ca, cert, key }: TargetTls,
  logger: Logger,
): TargetConnector {
  const { lookup } = names;
  const authorities = ca === undefined ? {} : { ca: readAuthorities(ca) };
  const settings = { timeout: timeoutMs, allowH2: false, lookup, ...authorities };
  if (cert === undefined || key === undefined) return { connect: buildConnector(settings), close: () => undefined };
  const certificate = new Certificate({ cert, key }, logger);
  let connect = buildConnector({ ...settings, ...certificate.pair });
  certificate.onRenewed((pair) => {
    connect = buildConnector({ ...settings, ...pair });
  });
  return { connect: (options, done) => connect(options, done), close: () => certificate.close() };
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`tls: ${file} cannot be read (${(error as Error).message})`);
  }
}
