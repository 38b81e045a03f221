import { afterAll, beforeAll, describe } from '@jest/globals';
import { registryContract } from '../contract/registry.contract.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { openRedisRegistry } from '../support/redis-registries.ts';
import type { OpenRegistry } from '../support/redis-registries.ts';
import { RedisServer } from '../support/redis-server.ts';

describe.each([
  ['one server', () => RedisServer.start()],
  ['a cluster', startCluster],
])('on %s', (name, start) => {
  let storage: { readonly url: string; stop(): Promise<void> };
  let installations = 0;
  beforeAll(async () => {
    storage = await start();
  }, 30_000);
  afterAll(() => storage.stop());

  registryContract(`redis, ${name}`, async () => {
    const prefix = `installation-${++installations}`;
    const opened: OpenRegistry[] = [];
    const open = async () => {
      const one = await openRedisRegistry(storage.url, prefix);
      opened.push(one);
      return one.registry;
    };
    return {
      registry: await open(),
      beside: open,
      reopen: open,
      async dispose() {
        await Promise.all(opened.map((one) => one.close()));
      },
    };
  });
});
