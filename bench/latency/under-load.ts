import { bareExpress } from '../contenders/bare-express.ts';
import { bareHttp } from '../contenders/bare-http.ts';
import { fastGateway3 } from '../contenders/fast-gateway.ts';
import { httpUpstreamRedis } from '../contenders/http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from '../contenders/in-process.ts';
import { nginxLua } from '../contenders/nginx-lua.ts';
import { contenders } from '../contenders/index.ts';
import type { Lab } from '../lab/lab.ts';
import { printProgress } from '../lab/session.ts';
import { measure, median } from '../measure.ts';
import { formatTable, formatSpread } from '../table.ts';
import { type ReadyContender, type SampledReport, measureSample, startContenders } from './field.ts';

/** The default contenders. The first one shows how much latency the generator and the machine add. */
const DEFAULT_CONTENDERS = [
  bareHttp,
  bareExpress,
  inProcessEmbedded,
  inProcessRedis,
  httpUpstreamRedis,
  nginxLua,
  fastGateway3,
];
const SHARES = [0.2, 0.5, 0.8];

interface UnderLoadOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Names of contenders to use instead of the usual ones. */
  readonly only?: readonly string[] | undefined;
}

interface Row extends ReadyContender {
  readonly share: number;
  readonly perSecond: number;
  readonly reports: (SampledReport | null)[];
}

/** Measures latencies at shares of the highest load of each contender. Returns a table in Markdown. */
export async function measureUnderLoad(lab: Lab, options: UnderLoadOptions): Promise<string> {
  const { rounds, only, ...load } = options;
  const field = await startContenders(lab, only === undefined ? DEFAULT_CONTENDERS : only.map(findContender));
  const rows: Row[] = [];
  for (const ready of field) {
    const highest = await findHighestLoad(lab, ready, options);
    printProgress(`${ready.contender.name.padEnd(24)}${Math.round(highest)} requests/s at most`);
    rows.push(...SHARES.map((share) => ({ ...ready, share, perSecond: highest * share, reports: [] })));
  }
  for (let round = 1; round <= rounds; round++) {
    printProgress(`round ${round}/${rounds}`);
    // Contenders are measured in turn, so that a slow minute of the machine affects them all. Within a round, all have
    // arrivals from the same seed.
    for (const share of SHARES) {
      for (const row of rows.filter((each) => each.share === share)) {
        row.reports.push(await measureSample(lab, row, { ...load, perSecond: row.perSecond, seed: round }));
      }
    }
  }
  await Promise.all(field.map(({ running }) => running.stop()));
  const head = ['latency, ms', 'load', 'requests/s', 'p50', 'p99', 'p99.9', 'sent late by, p99', 'rounds'];
  return `${formatTable(head, rows.map(toCells))}\n`;
}

/** Measures responses per second in a closed loop, in which every client always has a request in progress. */
async function findHighestLoad(
  lab: Lab,
  { running }: ReadyContender,
  { seconds, connections }: UnderLoadOptions,
): Promise<number> {
  const rates: number[] = [];
  while (rates.length < 3) rates.push((await measure(lab, running, { seconds, connections })).requestsPerSecond);
  return median(rates);
}

function toCells({ contender, share, perSecond, reports }: Row): string[] {
  const good = reports.filter((report) => report !== null);
  const formatFigure = (of: 'p50' | 'p99' | 'p999' | 'lateP99') => {
    const values = good.map((report) => report[of]);
    return values.length === 0 ? '' : `${median(values).toFixed(2)} (${formatSpread(values, 2)})`;
  };
  const load = [`${share * 100}%`, Math.round(perSecond).toLocaleString('en')];
  const figures = [formatFigure('p50'), formatFigure('p99'), formatFigure('p999'), formatFigure('lateP99')];
  return [contender.title, ...load, ...figures, `${good.length} of ${reports.length}`];
}

function findContender(name: string) {
  const found = contenders.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no contender ${name}`);
  return found;
}
