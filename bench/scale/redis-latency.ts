import { join } from 'node:path';
import { ADMITS, asRunning, type Running } from '../contenders/contender.ts';
import type { InTurnSettings } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import { benchFolder, type Lab } from '../lab/lab.ts';
import { accepts, freePort } from '../lab/ports.ts';
import { start, until } from '../lab/process.ts';
import { progress } from '../lab/session.ts';
import { checkAnswer, measure, median, warmUp, type Sample } from '../measure.ts';
import { markdown } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

/** Measures the latency and the cost of a request if Redis is as far away as another region. */
export const redisLatency: ScaleRun = async (lab, { inTurn }) => {
  const rows: string[][] = [];
  for (const roundTripMs of [0, 10]) {
    const redisUrl = roundTripMs === 0 ? lab.redis.url : await delayed(lab, roundTripMs);
    const gateway = await startGateway(lab, { store: 'redis', upstream: 'in-process', redisUrl });
    const running = asRunning(gateway, await gateway.createKey());
    await checkAnswer(running);
    await warmUp(lab, running, inTurn);
    for (const connections of [8, 64]) {
      const samples = await goodRounds(lab, running, { ...inTurn, connections });
      const of = (field: keyof Sample) => median(samples.map((sample) => sample[field]));
      rows.push([
        `${roundTripMs} ms to Redis and back, ${connections} clients`,
        of('p50').toFixed(1),
        of('p99').toFixed(1),
        Math.round(of('requestsPerSecond')).toLocaleString('en'),
        of('cpu').toFixed(1),
        `${samples.length} of ${inTurn.rounds}`,
      ]);
    }
    await gateway.program.stop();
  }
  return markdown(['latency', 'p50 ms', 'p99 ms', 'requests/s', 'CPU µs/request', 'good rounds'], rows);
};

/** Measures rounds, and keeps those in which the gateway asked Redis for every request. */
async function goodRounds(lab: Lab, running: Running, { rounds, ...load }: InTurnSettings): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    try {
      samples.push(await measure(lab, running, load, ADMITS));
    } catch (error) {
      progress(`round ${round} dropped: ${(error as Error).message}`);
    }
  }
  if (samples.length === 0) throw new Error(`no good round with ${load.connections} clients`);
  return samples;
}

async function delayed(lab: Lab, roundTripMs: number): Promise<string> {
  const port = await freePort();
  const proxy = start(lab.otherCore, process.execPath, [join(benchFolder, 'servers/delay.ts')], {
    env: { PORT: String(port), TARGET_PORT: String(lab.redis.port), DELAY_MS: String(roundTripMs / 2) },
  });
  await until(proxy, () => accepts(port));
  return `redis://127.0.0.1:${port}`;
}
