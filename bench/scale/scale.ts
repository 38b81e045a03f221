import { options, print, progress, withLab } from '../lab/session.ts';
import { bodySize } from './body-size.ts';
import { headerFields } from './header-fields.ts';
import { operations } from './operations.ts';
import { redisLatency } from './redis-latency.ts';
import { redisMemory } from './redis-memory.ts';
import { registry } from './registry.ts';
import { rotation } from './rotation.ts';
import type { ScaleRun } from './scale-run.ts';
import { startUp } from './start-up.ts';
import { upstreams } from './upstreams.ts';

const runs: Readonly<Record<string, ScaleRun>> = {
  registry,
  rotation,
  upstreams,
  operations,
  'header-fields': headerFields,
  'body-size': bodySize,
  'start-up': startUp,
  'redis-memory': redisMemory,
  'redis-latency': redisLatency,
};
const all = Object.keys(runs).join(',');

const values = options(
  {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    keys: { type: 'string', default: '10,10000,1000000' },
    rotating: { type: 'string', default: '1000000' },
    only: { type: 'string', default: all },
  },
  `npm run scale -- [options]

How the cost of a request grows. What is compared runs together and is measured in short turns, there and back.

  --rounds N        how often each is measured, in turn (10)
  --seconds N       for how long each time (2)
  --connections N   how many clients at once (64)
  --keys A,B        sizes of the registry (10,10000,1000000)
  --rotating N      how many keys in rotation are compared with ten (1000000)
  --only A,B        of ${all}`,
);

const settings = {
  inTurn: {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
  },
  sizes: values.keys.split(',').map(Number),
  rotating: Number(values.rotating),
};

const chosen = values.only.split(',').map((name) => {
  const run = runs[name];
  if (run === undefined) throw new Error(`no such run: ${name} (--help names all)`);
  return { name, run };
});

await withLab(values, async (lab) => {
  for (const { name, run } of chosen) {
    progress(name);
    try {
      print(`${await run(lab, settings)}\n`);
    } catch (error) {
      print(`skipped: ${name}: ${(error as Error).message}\n`);
    }
  }
});
