import { expect, test } from '@jest/globals';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, keepAliveAgent, runSlowGateway, type SlowGateway } from '../support/gateway/lifecycle.ts';
import { tempFolder } from '../support/temp-folder.ts';

/**
 * Clients of two gateways without a load balancer: each alternates between them over kept connections, and tries the
 * other one if a connection is refused. Nothing else is retried: any other failure is a lost request.
 */

const CLIENTS = 24;
const PATHS = ['/now', '/slow?ms=30', '/stream?ms=20'];

interface Address {
  readonly url: string;
  readonly key: string;
}

interface Tally {
  served: number;
  refused: number;
  readonly failures: string[];
}

async function send(path: string, [first, second]: [Address, Address], agent: Agent, tally: Tally): Promise<void> {
  try {
    const { status, body } = await ask(first.url + path, first.key, agent);
    if (status === 200) tally.served++;
    else tally.failures.push(`${status} ${body}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED') {
      tally.failures.push(`${code} ${message}`);
      return;
    }
    tally.refused++;
    // At least one of them should be up at any time. The limit ends the recursion if not.
    if (tally.refused < 100_000) await send(path, [second, first], agent, tally);
  }
}

/** A gateway that drains closes connections that are idle for a second. */
const MAX_IDLE_MS = 500;

/**
 * Calls until `over`, with random pauses of up to 0, 10 or 200 ms. If the machine delays a client for too long, it opens
 * new connections, because a gateway may close an idle one while a request is on its way.
 */
async function client(index: number, addresses: [Address, Address], tally: Tally, over: () => boolean): Promise<void> {
  const agent = keepAliveAgent(2);
  const pause = [0, 10, 200][index % 3] ?? 0;
  // The connections that are open were used in one of the last two turns.
  let [earlier, last] = [performance.now(), performance.now()];
  for (let turn = index; !over(); turn++) {
    if (performance.now() - earlier > MAX_IDLE_MS) agent.destroy();
    [earlier, last] = [last, performance.now()];
    const order: [Address, Address] = turn % 2 === 0 ? addresses : [addresses[1], addresses[0]];
    await send(PATHS[turn % PATHS.length] ?? '', order, agent, tally);
    if (pause > 0) await sleep(Math.random() * pause);
  }
  agent.destroy();
}

test('two gateways are restarted one after the other under load, and no request fails', async () => {
  const folders = [tempFolder(), tempFolder()];
  const start = (index: number, env = {}) => runSlowGateway(folders[index]?.path ?? '', {}, env);
  const gateways = await Promise.all([start(0), start(1)]);
  const addresses = gateways.map(({ publicUrl, key }) => ({ url: publicUrl, key })) as [Address, Address];
  const tally: Tally = { served: 0, refused: 0, failures: [] };
  let over = false;
  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index, addresses, tally, () => over));

  const restart = async (index: number): Promise<void> => {
    const gateway = gateways[index] as SlowGateway;
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended()).toBe(0);
    gateways[index] = await start(index, { TOLLGATE_PORT: new URL(gateway.publicUrl).port });
    await sleep(300);
  };
  await sleep(300);
  await restart(0);
  await restart(1);
  over = true;
  await Promise.all(clients);

  expect(tally.failures).toEqual([]);
  expect(tally.served).toBeGreaterThan(500);
  expect(tally.refused).toBeGreaterThan(0);
  for (const gateway of gateways) gateway.child.kill('SIGTERM');
  for (const gateway of gateways) expect(await gateway.ended()).toBe(0);
  for (const folder of folders) folder.remove();
});
