import { parseLabOptions, print, printProgress, withLab } from '../lab/session.ts';
import { measureBodySize } from './body-size.ts';
import { measureHeaderFields } from './header-fields.ts';
import { measureOperations } from './operations.ts';
import { measureRedisLatency } from './redis-latency.ts';
import { measureRedisMemory } from './redis-memory.ts';
import { measureRegistry } from './registry.ts';
import { measureRotation } from './rotation.ts';
import type { ScaleRun } from './scale-run.ts';
import { measureStartUp } from './start-up.ts';
import { measureUpstreams } from './upstreams.ts';

const runs: Readonly<Record<string, ScaleRun>> = {
  registry: measureRegistry,
  rotation: measureRotation,
  upstreams: measureUpstreams,
  operations: measureOperations,
  'header-fields': measureHeaderFields,
  'body-size': measureBodySize,
  'start-up': measureStartUp,
  'redis-memory': measureRedisMemory,
  'redis-latency': measureRedisLatency,
};
const runNames = Object.keys(runs).join(',');

const values = parseLabOptions(
  {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    keys: { type: 'string', default: '10,10000,1000000' },
    rotating: { type: 'string', default: '1000000' },
    only: { type: 'string', default: runNames },
  },
  `npm run scale -- [options]

How the cost of a request grows. What is compared runs together and is measured in short turns, there and back.

  --rounds N        how often each is measured, in turn (10)
  --seconds N       for how long each time (2)
  --connections N   how many clients at once (64)
  --keys A,B        sizes of the registry (10,10000,1000000)
  --rotating N      how many keys in rotation are compared with ten (1000000)
  --only A,B        of ${runNames}`,
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

const chosenRuns = values.only.split(',').map((name) => {
  const run = runs[name];
  if (run === undefined) throw new Error(`no such run: ${name} (--help names all)`);
  return { name, run };
});

await withLab(values, async (lab) => {
  for (const { name, run } of chosenRuns) {
    printProgress(name);
    try {
      print(`${await run(lab, settings)}\n`);
    } catch (error) {
      print(`skipped: ${name}: ${(error as Error).message}\n`);
    }
  }
});
