import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, keepAliveAgent } from './lifecycle.ts';

/**
 * Clients that alternate between two gateways without a load balancer. They keep their connections, and try the other
 * gateway if a new connection is refused. Nothing else is retried, so any other failure is a lost request.
 *
 * A new connection may also be reset. On a busy machine, it can reach a gateway's backlog just before the gateway stops
 * listening, and the system then resets connections that the gateway has not accepted.
 */

interface Address {
  readonly url: string;
  readonly key: string;
}

export interface Tally {
  served: number;
  refused: number;
  readonly failures: string[];
}

interface ClientsOptions {
  readonly count: number;
  readonly paths: readonly string[];
  /** The two gateways. They can be replaced while the clients run. */
  readonly addresses: [Address, Address];
}

/**
 * Starts the clients.
 *
 * @returns the results so far, and a function that stops the clients
 */
export function startClients({ count, paths, addresses }: ClientsOptions): {
  readonly tally: Tally;
  stop(): Promise<void>;
} {
  const tally: Tally = { served: 0, refused: 0, failures: [] };
  const stopping = new AbortController();
  const clients = Array.from({ length: count }, (_, index) => client(index));
  return {
    tally,
    async stop() {
      stopping.abort();
      await Promise.all(clients);
    },
  };

  /**
   * Sends calls with random pauses of up to 0, 10 or 200 ms. If the machine delays a client for too long, the client
   * opens new connections, because a gateway may close an idle one while a request is on its way.
   */
  async function client(index: number): Promise<void> {
    const agent = keepAliveAgent(2);
    const pause = [0, 10, 200][index % 3] ?? 0;
    // The open connections were used in one of the last two turns, so these times say how long they may have been idle.
    let [earlier, last] = [performance.now(), performance.now()];
    for (let turn = index; !stopping.signal.aborted; turn++) {
      if (performance.now() - earlier > MAX_IDLE_MS) agent.destroy();
      [earlier, last] = [last, performance.now()];
      const order: [Address, Address] = turn % 2 === 0 ? addresses : [addresses[1], addresses[0]];
      await send(paths[turn % paths.length] ?? '', order, agent, tally);
      if (pause > 0) await sleep(Math.random() * pause);
    }
    agent.destroy();
  }
}

/**
 * The maximum time for which a client keeps an idle connection. A gateway that drains closes connections that are idle
 * for a second.
 */
const MAX_IDLE_MS = 500;

async function send(path: string, [first, second]: [Address, Address], agent: Agent, tally: Tally): Promise<void> {
  try {
    const { status, body } = await ask(first.url + path, first.key, agent);
    if (status === 200) tally.served++;
    else tally.failures.push(`${status} ${body}`);
  } catch (error) {
    const { code, message, isReused } = error as NodeJS.ErrnoException & { readonly isReused: boolean };
    if (code !== 'ECONNREFUSED' && (code !== 'ECONNRESET' || isReused)) {
      tally.failures.push(`${code} ${message}`);
      return;
    }
    tally.refused++;
    // At least one of the gateways should be up at any time. If not, the limit ends the recursion.
    if (tally.refused < 100_000) await send(path, [second, first], agent, tally);
  }
}
