import { afterAll, beforeAll } from '@jest/globals';
import pino from 'pino';
import { connectRedis } from '../../src/redis/connection.ts';
import { createRedisRegistry } from '../../src/registry/redis-registry.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { registryContract } from '../contract/registry.contract.ts';
import { RedisServer } from '../support/redis-server.ts';

let server: RedisServer;
let installations = 0;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.stop());

registryContract('redis', async () => {
  const prefix = `t${++installations}`;
  const opened: (() => Promise<void>)[] = [];
  const open = async (): Promise<Registry> => {
    const [client, subscriber] = ['registry', 'subscriber'].map((purpose) => {
      const connection = connectRedis({ url: server.url, purpose, logger: pino({ level: 'silent' }) });
      opened.push(async () => connection.close());
      return connection;
    });
    await client!.ready(2000);
    await subscriber!.ready(2000);
    const registry = await createRedisRegistry({ client: client!.client, subscriber: subscriber!.client, prefix });
    opened.push(() => registry.close());
    return registry;
  };
  return {
    registry: await open(),
    beside: open,
    reopen: open,
    async dispose() {
      for (const close of opened.toReversed()) await close();
    },
  };
});
