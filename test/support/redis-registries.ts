import pino from 'pino';
import { connectRedis } from '../../src/redis/connection.ts';
import type { RedisConnection } from '../../src/redis/connection.ts';
import { createRedisRegistry } from '../../src/registry/redis-registry.ts';
import type { RedisRegistrySettings } from '../../src/registry/redis-registry.ts';
import type { Invalidation, Registry } from '../../src/registry/registry.ts';

export interface OpenRegistry {
  readonly registry: Registry;
  /** What it has told its listeners. */
  readonly told: Invalidation[];
  readonly client: RedisConnection['client'];
  readonly subscriber: RedisConnection['client'];
  close(): Promise<void>;
}

/** A registry as a gateway has it: with connections of its own. */
export async function openRedisRegistry(
  url: string,
  prefix = 'tg',
  settings: Partial<RedisRegistrySettings> = {},
): Promise<OpenRegistry> {
  const logger = pino({ level: 'silent' });
  const connections = ['registry', 'subscriber'].map((purpose) => connectRedis({ url, purpose, logger }));
  const closeConnections = () => {
    for (const connection of connections) connection.close();
  };
  const [client, subscriber] = connections.map((connection) => connection.client) as [
    RedisConnection['client'],
    RedisConnection['client'],
  ];
  let registry: Registry;
  try {
    await Promise.all(connections.map((connection) => connection.ready(5000)));
    registry = await createRedisRegistry({ client, subscriber, prefix, ...settings });
  } catch (error) {
    // Else they would try for ever, and keep the process.
    closeConnections();
    throw error;
  }
  const told: Invalidation[] = [];
  registry.onInvalidation((what) => told.push(what));
  return {
    registry,
    told,
    client,
    subscriber,
    async close() {
      try {
        await registry.close();
      } finally {
        closeConnections();
      }
    },
  };
}
