import { join } from 'node:path';
import { LIMITS, PET_PATH, STATIC_KEY, benchFolder, type Lab } from '../lab/lab.ts';
import { isAccepting, findFreePort } from '../lab/ports.ts';
import { startProgram, waitUntil } from '../lab/process.ts';
import type { Running } from './contender.ts';

/** Runs a program of `servers/` on the contender's core, with the same Node as the bench. */
export async function startNodeServer(lab: Lab, file: string, env: Record<string, string> = {}): Promise<Running> {
  const port = await findFreePort();
  const program = startProgram(lab.core, process.execPath, [join(benchFolder, 'servers', file)], {
    env: {
      PORT: String(port),
      UPSTREAM: lab.upstream.url,
      REDIS_PORT: String(lab.redis.port),
      API_KEY: STATIC_KEY,
      MINUTE_LIMIT: String(LIMITS.minute),
      DAY_LIMIT: String(LIMITS.day),
      ...env,
    },
  });
  await waitUntil(program, () => isAccepting(port));
  return {
    pids: () => program.pids(),
    url: `http://127.0.0.1:${port}${PET_PATH}`,
    headers: { 'X-API-Key': STATIC_KEY },
    status: 200,
    stop: () => program.stop(),
  };
}
