import { join, resolve } from 'node:path';
import { asRunning, type Running } from './contenders/contender.ts';
import { startGateway } from './lab/gateway.ts';
import type { Lab } from './lab/lab.ts';
import { accepts, freePort } from './lab/ports.ts';
import { start, until } from './lab/process.ts';
import { options, print, progress, withLab } from './lab/session.ts';
import { checkAnswer, measure, median, warmUp, type Sample } from './measure.ts';
import { markdown, spread } from './table.ts';

const values = options(
  {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    before: { type: 'string' },
  },
  `npm run traces-load -- [options]

What traces cost under load, before an HTTP upstream: off, and with shares of the requests sampled.

  --rounds N        how often each is measured, in turn (9)
  --seconds N       for how long each time (5)
  --connections N   how many clients at once (64)
  --before DIR      also measures the gateway of another checkout, such as one without traces`,
);

/** Ratio: null is off. */
interface Field {
  readonly title: string;
  readonly ratio: string | null;
  readonly folder?: string;
}

const OFF: Field = { title: 'off', ratio: null };
const field: readonly Field[] = [
  OFF,
  { title: 'on, 0 %', ratio: '0' },
  { title: 'on, 1 %', ratio: '0.01' },
  { title: 'on, 10 %', ratio: '0.1' },
  ...(values.before === undefined ? [] : [{ title: 'before', ratio: null, folder: resolve(values.before) }]),
];

await withLab(values, async (lab) => {
  const load = { seconds: Number(values.seconds), connections: Number(values.connections) };
  const sink = await freePort();
  const program = start(lab.otherCore, process.execPath, [
    join(import.meta.dirname, 'servers/otlp-sink.ts'),
    `${sink}`,
  ]);
  await until(program, () => accepts(sink));
  const running = new Map<Field, Running>();
  for (const each of field) {
    progress(`warming up ${each.title}`);
    const gateway = await startWith(lab, each, sink);
    await checkAnswer(gateway);
    await warmUp(lab, gateway, load);
    running.set(each, gateway);
  }
  const rounds: Map<Field, Sample>[] = [];
  while (rounds.length < Number(values.rounds)) {
    const round = new Map<Field, Sample>();
    // In turn, and every other time in the other order: so that neither a slow minute nor a place is anybody's own.
    for (const each of rounds.length % 2 === 0 ? field : field.toReversed()) {
      round.set(each, await measure(lab, running.get(each)!, load));
    }
    rounds.push(round);
    progress(`round ${rounds.length}: ${field.map((each) => round.get(each)!.cpu.toFixed(1)).join(' ')} µs`);
  }
  print(
    markdown(
      ['traces', 'CPU µs/request', '/ off'],
      field.map((each) => rowOf(each, rounds)),
    ),
  );
});

async function startWith(lab: Lab, { ratio, folder }: Field, sink: number): Promise<Running> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${sink}`, OTEL_TRACES_SAMPLER_ARG: ratio ?? '' };
  const gateway = await startGateway(
    { ...lab, gatewayFolder: folder ?? lab.gatewayFolder },
    { store: 'embedded', upstream: 'http', ...(ratio === null ? {} : { env }) },
  );
  return asRunning(gateway, await gateway.createKey());
}

function rowOf(each: Field, rounds: readonly Map<Field, Sample>[]): string[] {
  const cpu = rounds.map((round) => round.get(each)!.cpu);
  const ratios = rounds.map((round) => round.get(each)!.cpu / round.get(OFF)!.cpu);
  const [time, ratio] = [median(cpu).toFixed(1), median(ratios).toFixed(2)];
  return [each.title, `${time} (${spread(cpu, 1)})`, each === OFF ? '' : `${ratio} (${spread(ratios, 2)})`];
}
