import { setTimeout as sleep } from 'node:timers/promises';
import { ADMITS, asRunning, type Running } from './contenders/contender.ts';
import { residentBytes } from './lab/cpu.ts';
import { startGateway } from './lab/gateway.ts';
import { openIdle } from './lab/idle.ts';
import type { Lab } from './lab/lab.ts';
import { accepts, freePort } from './lab/ports.ts';
import { start, until } from './lab/process.ts';
import { seed } from './lab/seed.ts';
import { options, print, progress, withLab } from './lab/session.ts';
import { checkAnswer, measure, median, warmUp, type Sample } from './measure.ts';
import { markdown, spread } from './table.ts';

const values = options(
  {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    keys: { type: 'string', default: '10,10000,1000000' },
    only: { type: 'string', default: 'registry,connections,start-up,redis-memory,redis-latency' },
  },
  `npm run scale -- [options]

  --rounds N        how often each is measured, in turn (5)
  --seconds N       for how long each time (5)
  --keys A,B        sizes of the registry (10,10000,1000000)
  --only A,B        of registry, connections, start-up, redis-memory, redis-latency`,
);
const rounds = Number(values.rounds);
const load = { seconds: Number(values.seconds), connections: 64 };
const sizes = values.keys.split(',').map(Number);

const runs: Record<string, (lab: Lab) => Promise<void>> = {
  registry,
  connections,
  'start-up': startUp,
  'redis-memory': redisMemory,
  'redis-latency': redisLatency,
};

await withLab(values, async (lab) => {
  for (const name of values.only.split(',')) {
    const run = runs[name];
    if (run === undefined) throw new Error(`no such run: ${name} (--help names all)`);
    progress(name);
    try {
      await run(lab);
    } catch (error) {
      print(`skipped: ${name}: ${(error as Error).message}\n`);
    }
  }
});

/** What a request costs with few and many keys in the registry, always the same key or 10,000 in rotation. */
async function registry(lab: Lab): Promise<void> {
  const field: { size: number; rotating: boolean; running: Running; keyFile?: string; samples: Sample[] }[] = [];
  for (const size of sizes) {
    progress(`making ${size} keys`);
    const seeded = await seed(lab, size);
    const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process', dataDir: seeded.dataDir });
    const running = asRunning(gateway, seeded.oneKey);
    await checkAnswer(running);
    await warmUp(lab, running, load);
    field.push({ size, rotating: false, running, samples: [] });
    if (size >= 10_000) field.push({ size, rotating: true, running, keyFile: seeded.keyFile, samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { running, keyFile, samples } of field) samples.push(await measure(lab, running, { ...load, keyFile }));
  }
  const base = field[0]!.samples;
  const rows = field.map(({ size, rotating, samples }) => {
    const ratios = samples.map((sample, round) => sample.cpu / base[round]!.cpu);
    const cpu = samples.map((sample) => sample.cpu);
    return [
      `${size.toLocaleString('en')} keys${rotating ? ', 10,000 of them in rotation' : ''}`,
      `${median(cpu).toFixed(1)} (${spread(cpu, 1)})`,
      `${median(ratios).toFixed(2)} (${spread(ratios, 2)})`,
      rotating ? '' : median(ratios) <= 1.1 ? 'reached' : '**not reached**',
    ];
  });
  print(`${markdown(['registry (embedded store)', 'CPU µs/request', '/ the first', '≤ 1.10'], rows)}\n`);
  await Promise.all(field.map(({ running }) => running.stop()));
}

/** Idle keep-alive connections, each after one request. */
async function connections(lab: Lab): Promise<void> {
  const count = 5000;
  const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process' });
  const running = asRunning(gateway, await gateway.createKey());
  // A heap that has grown to its size under load, and settled.
  await warmUp(lab, running, load);
  await sleep(3000);
  const before = residentBytes(gateway.program.pids());
  const sockets = await openIdle(gateway.petUrl, running.headers['X-API-Key']!, count);
  await sleep(3000);
  const after = residentBytes(gateway.program.pids());
  for (const socket of sockets) socket.destroy();
  await gateway.program.stop();
  const perThousand = (after - before) / (count / 1000) / 2 ** 20;
  print(`Memory per 1,000 idle connections: ${perThousand.toFixed(1)} MB (${count} opened, of resident memory)\n`);
}

/** From the start of the process until it accepts connections. */
async function startUp(lab: Lab): Promise<void> {
  const rows: string[][] = [];
  for (const size of [sizes[0]!, sizes.at(-1)!]) {
    const { dataDir } = await seed(lab, size);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const gateway = await startGateway(lab, { store: 'embedded', upstream: 'in-process', dataDir });
      times.push(gateway.startMs);
      await gateway.program.stop(15_000);
    }
    rows.push([`${size.toLocaleString('en')} keys`, `${Math.round(median(times))} (${spread(times, 0)})`]);
  }
  print(`${markdown(['start-up, on one core', 'ms'], rows)}\n`);
}

/** What Redis keeps for a key that is in use: its counters, not its entry in the registry. */
async function redisMemory(lab: Lab): Promise<void> {
  const gateway = await startGateway(lab, { store: 'redis', upstream: 'in-process' });
  const keys: string[] = [];
  while (keys.length < 1000) keys.push(await gateway.createKey());
  const before = new Set(await entries(lab));
  for (const key of keys) await fetch(gateway.petUrl, { headers: { 'X-API-Key': key } });
  const added = (await entries(lab)).filter((name) => !before.has(name));
  await gateway.program.stop();
  let bytes = 0;
  for (const name of added) bytes += (await lab.redis.client.memory('USAGE', name, 'SAMPLES', 0)) ?? 0;
  const each = Math.round(bytes / keys.length);
  print(`Redis memory per active key: ${each} bytes, in ${(added.length / keys.length).toFixed(2)} entries\n`);
}

async function entries(lab: Lab): Promise<string[]> {
  const names: string[] = [];
  for await (const some of lab.redis.client.scanStream({ count: 1000 })) names.push(...(some as string[]));
  return names;
}

/** As far from Redis as in another region: what a request waits for, and what it costs. */
async function redisLatency(lab: Lab): Promise<void> {
  const rows: string[][] = [];
  for (const roundTripMs of [0, 10]) {
    const redisUrl = roundTripMs === 0 ? lab.redis.url : await delayed(lab, roundTripMs);
    const gateway = await startGateway(lab, { store: 'redis', upstream: 'in-process', redisUrl });
    const running = asRunning(gateway, await gateway.createKey());
    await checkAnswer(running);
    await warmUp(lab, running, load);
    for (const connections of [8, 64]) {
      const samples = await goodRounds(lab, running, connections);
      const of = (field: keyof Sample) => median(samples.map((sample) => sample[field]));
      rows.push([
        `${roundTripMs} ms to Redis and back, ${connections} clients`,
        of('p50').toFixed(1),
        of('p99').toFixed(1),
        Math.round(of('requestsPerSecond')).toLocaleString('en'),
        of('cpu').toFixed(1),
        `${samples.length} of ${rounds}`,
      ]);
    }
    await gateway.program.stop();
  }
  const head = ['latency', 'p50 ms', 'p99 ms', 'requests/s', 'CPU µs/request', 'good rounds'];
  print(`${markdown(head, rows)}\n`);
}

/** Those in which the gateway asked Redis for every request. */
async function goodRounds(lab: Lab, running: Running, connections: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    try {
      samples.push(await measure(lab, running, { ...load, connections }, ADMITS));
    } catch (error) {
      progress(`round ${round} dropped: ${(error as Error).message}`);
    }
  }
  if (samples.length === 0) throw new Error(`no good round with ${connections} clients`);
  return samples;
}

async function delayed(lab: Lab, roundTripMs: number): Promise<string> {
  const port = await freePort();
  const proxy = start(lab.otherCore, process.execPath, [`${import.meta.dirname}/servers/delay.ts`], {
    env: { PORT: String(port), TARGET_PORT: String(lab.redis.port), DELAY_MS: String(roundTripMs / 2) },
  });
  await until(proxy, () => accepts(port));
  return `redis://127.0.0.1:${port}`;
}
