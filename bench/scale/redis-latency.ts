import { join } from 'node:path';
import { WORK_PER_ADMISSION, toRunningContender, type Running } from '../contenders/contender.ts';
import type { InTurnOptions } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import { benchFolder, type Lab } from '../lab/lab.ts';
import { isAccepting, findFreePort } from '../lab/ports.ts';
import { startProgram, waitUntil } from '../lab/process.ts';
import { printProgress } from '../lab/session.ts';
import { checkResponse, measure, median, warmUp, type Sample } from '../measure.ts';
import { formatTable } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

/** Measures the latency and the cost of a request if Redis is as far away as another region. */
export const measureRedisLatency: ScaleRun = async (lab, { inTurn }) => {
  const rows: string[][] = [];
  for (const roundTripMs of [0, 10]) {
    const redisUrl = roundTripMs === 0 ? lab.redis.url : await startDelayedRedis(lab, roundTripMs);
    const gateway = await startGateway(lab, { store: 'redis', upstream: 'in-process', redisUrl });
    const running = toRunningContender(gateway, await gateway.createKey());
    await checkResponse(running);
    await warmUp(lab, running, inTurn);
    for (const connections of [8, 64]) {
      const samples = await measureGoodRounds(lab, running, { ...inTurn, connections });
      const computeMedian = (field: keyof Sample) => median(samples.map((sample) => sample[field]));
      rows.push([
        `${roundTripMs} ms to Redis and back, ${connections} clients`,
        computeMedian('p50').toFixed(1),
        computeMedian('p99').toFixed(1),
        Math.round(computeMedian('requestsPerSecond')).toLocaleString('en'),
        computeMedian('cpu').toFixed(1),
        `${samples.length} of ${inTurn.rounds}`,
      ]);
    }
    await gateway.program.stop();
  }
  return formatTable(['latency', 'p50 ms', 'p99 ms', 'requests/s', 'CPU µs/request', 'good rounds'], rows);
};

/** Measures rounds, and keeps those in which the gateway asked Redis for every request. */
async function measureGoodRounds(lab: Lab, running: Running, { rounds, ...load }: InTurnOptions): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    try {
      samples.push(await measure(lab, running, load, WORK_PER_ADMISSION));
    } catch (error) {
      printProgress(`round ${round} dropped: ${(error as Error).message}`);
    }
  }
  if (samples.length === 0) throw new Error(`no good round with ${load.connections} clients`);
  return samples;
}

async function startDelayedRedis(lab: Lab, roundTripMs: number): Promise<string> {
  const port = await findFreePort();
  const proxy = startProgram(lab.otherCore, process.execPath, [join(benchFolder, 'servers/delay.ts')], {
    env: { PORT: String(port), TARGET_PORT: String(lab.redis.port), DELAY_MS: String(roundTripMs / 2) },
  });
  await waitUntil(proxy, () => isAccepting(port));
  return `redis://127.0.0.1:${port}`;
}
