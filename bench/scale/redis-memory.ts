import { startGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import type { ScaleRun } from './scale-run.ts';

/**
 * Measures the memory that Redis needs for a used key. Redis stores only the counters of a key, not its record in the
 * registry.
 */
export const measureRedisMemory: ScaleRun = async (lab) => {
  const gateway = await startGateway(lab, { store: 'redis', upstream: 'in-process' });
  const keys: string[] = [];
  while (keys.length < 1000) keys.push(await gateway.createKey());
  const before = new Set(await listEntries(lab));
  for (const key of keys) await fetch(gateway.petUrl, { headers: { 'X-API-Key': key } });
  const added = (await listEntries(lab)).filter((name) => !before.has(name));
  await gateway.program.stop();
  let bytes = 0;
  for (const name of added) bytes += (await lab.redis.client.memory('USAGE', name, 'SAMPLES', 0)) ?? 0;
  const bytesPerKey = Math.round(bytes / keys.length);
  return `Redis memory per active key: ${bytesPerKey} bytes, in ${(added.length / keys.length).toFixed(2)} entries`;
};

async function listEntries(lab: Lab): Promise<string[]> {
  const names: string[] = [];
  for await (const batch of lab.redis.client.scanStream({ count: 1000 })) names.push(...(batch as string[]));
  return names;
}
