import { Resolver as Dns } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { promisify } from 'node:util';

/** Finds the addresses of a name, IPv4 and IPv6. Rejects if it has none, or nobody tells in time. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 2000;
const TRIES = 2;

/**
 * Asks the name servers themselves. The system's resolver works in a few threads, which the whole process shares: names
 * whose servers are slow would take all of them. But it knows the host's own names, which only private networks have.
 *
 * @param withHostNames whether to ask the system's resolver for what the name servers do not know
 */
export function createResolve(withHostNames: boolean): Resolve {
  const dns = new Dns({ timeout: TIMEOUT_MS, tries: TRIES });
  const resolve4 = promisify(dns.resolve4.bind(dns)) as Resolve;
  const resolve6 = promisify(dns.resolve6.bind(dns)) as Resolve;

  return async function resolve(name) {
    const results = await Promise.allSettled([resolve4(name), resolve6(name)]);
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (found.length > 0) return found;
    if (withHostNames) return (await lookup(name, { all: true })).map(({ address }) => address);
    throw results.find((result) => result.status === 'rejected')?.reason ?? new Error(`${name} has no address`);
  };
}
