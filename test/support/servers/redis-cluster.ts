import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, RedisServer } from './redis-server.ts';

/** Starts a Redis cluster of three masters. */
export async function startCluster(): Promise<{ url: string; nodes: RedisServer[]; stop(): Promise<void> }> {
  const nodes: RedisServer[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (const busPort of await freePorts(3)) {
      const settings = { 'cluster-enabled': 'yes', 'cluster-port': String(busPort), 'cluster-node-timeout': '2000' };
      nodes.push(await RedisServer.start({ settings }));
    }
    await joinNodes(nodes as [RedisServer, RedisServer, RedisServer]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, nodes, stop };
}

async function joinNodes(nodes: readonly [RedisServer, RedisServer, RedisServer]): Promise<void> {
  const ranges = [0, 5461, 10_923, 16_384];
  for (const [index, node] of nodes.entries()) {
    await node.client.call('CLUSTER', 'ADDSLOTSRANGE', ranges[index]!, ranges[index + 1]! - 1);
    await node.client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  const [first, ...others] = nodes;
  for (const { client } of others) {
    const [, busPort] = await client.config('GET', 'cluster-port');
    const port = nodes.find((node) => node.client === client)!.port;
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort!);
  }
  for (let waited = 0; waited < 20_000; waited += 50) {
    const infos = await Promise.all(nodes.map(({ client }) => client.cluster('INFO')));
    if (infos.every((info) => info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3'))) return;
    await sleep(50);
  }
  throw new Error('the cluster did not form');
}
