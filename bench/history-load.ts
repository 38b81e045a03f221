import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRunning } from './contenders/contender.ts';
import { startGateway } from './lab/gateway.ts';
import { benchFolder, type Lab } from './lab/lab.ts';
import { options, print, withLab } from './lab/session.ts';
import { checkAnswer, measure, median, warmUp } from './measure.ts';
import type { Pair } from './servers/switched-gateway.ts';
import { markdown } from './table.ts';

/** It writes its figures when it ends. */
const STOP_MS = 15_000;

const values = options(
  {
    seconds: { type: 'string', default: '300' },
    connections: { type: 'string', default: '64' },
  },
  `npm run history-load -- [options]

What it costs a request to be counted for the history, under load: one gateway, whose recorder is switched on and off
every quarter of a second. What writes the counts every ten seconds is in neither.

  --seconds N       for how long, after it is warm (300)
  --connections N   how many clients at once (64)`,
);

await withLab(values, async (lab) => {
  const rows = [await measured(lab, 'embedded'), await measured(lab, 'redis')];
  print(markdown(['CPU µs/request', 'counting', 'not', 'ratio', '95% interval', 'pairs'], rows));
});

async function measured(lab: Lab, store: 'embedded' | 'redis'): Promise<string[]> {
  const file = join(lab.folder('pairs'), 'pairs.json');
  const entry = [join(benchFolder, 'servers/switched-gateway.ts'), file];
  const gateway = await startGateway(lab, { store, upstream: 'in-process', entry });
  const running = asRunning(gateway, await gateway.createKey());
  const load = { seconds: Number(values.seconds), connections: Number(values.connections) };
  await checkAnswer(running);
  await warmUp(lab, running, load);
  gateway.program.signal('SIGUSR2');
  await measure(lab, running, load);
  await gateway.program.stop(STOP_MS);
  const pairs = JSON.parse(readFileSync(file, 'utf8')) as Pair[];
  if (pairs.length === 0) throw new Error('there was too little load to measure anything');
  const ratios = pairs.map(([on, off]) => on / off).toSorted((a, b) => a - b);
  const [low, high] = intervalOfMedian(ratios);
  const title = store === 'embedded' ? 'in process, embedded store' : 'in process, Redis';
  const micros = (each: (pair: Pair) => number) => median(pairs.map(each)).toFixed(1);
  const figures = [micros(([on]) => on), micros(([, off]) => off), median(ratios).toFixed(3)];
  return [title, ...figures, `${low.toFixed(3)}–${high.toFixed(3)}`, String(pairs.length)];
}

/** The 95% confidence interval of the median, by order: nothing is assumed of how the values are spread. */
function intervalOfMedian(sorted: readonly number[]): [number, number] {
  const half = 0.98 * Math.sqrt(sorted.length);
  const [low, high] = [Math.floor(sorted.length / 2 - half), Math.ceil(sorted.length / 2 + half)];
  return [sorted[Math.max(0, low)]!, sorted[Math.min(sorted.length - 1, high)]!];
}
