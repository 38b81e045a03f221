import { Cluster } from 'ioredis';
import { StartError } from '../../base/error-types.ts';
import type { RedisClient } from './redis-connection.ts';

/** The first version of Redis with `SET … PXAT` and `GETEX`. */
const MIN_VERSION = [6, 2] as const;

/**
 * Checks the configuration of the servers.
 *
 * @returns warnings for the operator
 * @throws StartError if a server is too old
 */
export async function checkServer(client: RedisClient): Promise<string[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  const warnings = new Set<string>();
  for (const server of servers) {
    const info = readInfo(await server.info());
    refuseOld(info.get('redis_version') ?? '');
    const [, snapshots] = await server.config('GET', 'save').then(
      (reply) => reply,
      // Hosted servers often forbid CONFIG. Assume that snapshots are off then.
      () => ['save', ''],
    );
    for (const warning of findServerWarnings(info, snapshots !== undefined && snapshots !== '')) warnings.add(warning);
  }
  return [...warnings];
}

function readInfo(text: string): Map<string, string> {
  const pairs = text
    .split('\r\n')
    .map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)] as const);
  return new Map(pairs);
}

function refuseOld(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  throw new StartError(`Redis ${version} is too old: Tollgate needs Redis 6.2 or newer`);
}

function findServerWarnings(info: ReadonlyMap<string, string>, snapshots: boolean): string[] {
  const warnings: string[] = [];
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction' && info.get('maxmemory') !== '0') {
    warnings.push(
      `Redis evicts keys when its memory is full (maxmemory-policy is ${policy}): counters and bans can ` +
        'be lost. Set maxmemory-policy noeviction',
    );
  }
  if (info.get('role') === 'slave') {
    warnings.push('Redis is a replica, which rejects writes: set TOLLGATE_STORE to the master');
  }
  if (info.get('aof_enabled') !== '1') {
    warnings.push(
      snapshots
        ? 'Redis stores only snapshots (appendonly is no): if it crashes, counters and bans since the last one ' +
            'are lost. Set appendonly yes'
        : 'Redis stores nothing on disk: if it restarts, all counters and bans are lost. Set appendonly yes',
    );
  }
  return warnings;
}
