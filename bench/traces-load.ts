import { join, resolve } from 'node:path';
import { asRunning } from './contenders/contender.ts';
import { compare, type Compared } from './in-turn.ts';
import { startGateway } from './lab/gateway.ts';
import type { Lab } from './lab/lab.ts';
import { accepts, freePort } from './lab/ports.ts';
import { start, until } from './lab/process.ts';
import { options, print, withLab } from './lab/session.ts';

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

await withLab(values, async (lab) => {
  const sink = await freePort();
  const program = start(lab.otherCore, process.execPath, [
    join(import.meta.dirname, 'servers/otlp-sink.ts'),
    `${sink}`,
  ]);
  await until(program, () => accepts(sink));
  const { before } = values;
  const all: Compared[] = [
    { title: 'off', start: () => startWith(lab, null) },
    ...['0', '0.01', '0.1'].map((ratio) => ({
      title: `on, ${Number(ratio) * 100}%`,
      start: () => startWith(lab, { sink, ratio }),
    })),
  ];
  if (before !== undefined) {
    const there = { ...lab, gatewayFolder: resolve(before) };
    all.push({ title: 'before', start: () => startWith(there, null) });
  }
  const { rounds, seconds, connections } = values;
  const settings = { rounds: Number(rounds), seconds: Number(seconds), connections: Number(connections) };
  print(await compare(lab, all, settings));
});

interface Traced {
  /** The port of the receiver. */
  readonly sink: number;
  readonly ratio: string;
}

async function startWith(lab: Lab, traced: Traced | null) {
  const env =
    traced === null
      ? {}
      : {
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${traced.sink}`,
          OTEL_TRACES_SAMPLER_ARG: traced.ratio,
        };
  const gateway = await startGateway(lab, { store: 'embedded', upstream: 'http', env });
  return asRunning(gateway, await gateway.createKey());
}
