import { bareExpress, bareExpressLean, bareExpressPing } from '../contenders/bare-express.ts';
import type { Contender } from '../contenders/contender.ts';
import { httpUpstreamEmbedded, httpUpstreamRedis } from '../contenders/http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from '../contenders/in-process.ts';
import { undiciProxy } from '../contenders/undici-proxy.ts';
import { keepAwake, type Lab } from '../lab/lab.ts';
import { printProgress } from '../lab/session.ts';
import { median } from '../measure.ts';
import { formatTable, formatSpread, formatVerdict } from '../table.ts';
import { type SampledReport, measureSample, startContenders } from './field.ts';

const CONTENDERS = [
  bareExpressLean,
  bareExpress,
  bareExpressPing,
  inProcessEmbedded,
  inProcessRedis,
  undiciProxy,
  httpUpstreamEmbedded,
  httpUpstreamRedis,
];

/** Two contenders to compare, and the goal for their difference in µs, if a goal is set. */
interface Difference {
  readonly title: string;
  readonly of: Contender;
  readonly to: Contender;
  readonly goal?: number;
  /** Subtracts the time of the script in Redis itself, because it is not the gateway's time. */
  readonly withoutScript?: boolean;
}

const DIFFERENCES: readonly Difference[] = [
  { title: 'in process, embedded − bare Express', of: inProcessEmbedded, to: bareExpress, goal: 10 },
  { title: 'in process, embedded − Express without ETag and `res.json`', of: inProcessEmbedded, to: bareExpressLean },
  { title: 'in process, Redis − bare Express', of: inProcessRedis, to: bareExpress },
  { title: 'of which a round trip to Redis: Express with a PING − without', of: bareExpressPing, to: bareExpress },
  {
    title: "what is left of it, without Redis's own time for the script",
    of: inProcessRedis,
    to: bareExpressPing,
    goal: 10,
    withoutScript: true,
  },
  { title: 'HTTP upstream, embedded − bare undici proxy', of: httpUpstreamEmbedded, to: undiciProxy },
  { title: 'HTTP upstream, Redis − bare undici proxy', of: httpUpstreamRedis, to: undiciProxy },
];

interface LoneRequestOptions {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures one connection that sends its next request after each response. Returns two tables in Markdown.
 *
 * The contender's core is also kept awake, because it idles after every request. If it slept, a contender that also
 * waits for Redis or an upstream would pay twice for waking a virtual CPU.
 */
export async function measureLoneRequests(lab: Lab, options: LoneRequestOptions): Promise<string> {
  const field = await startContenders(lab, CONTENDERS);
  const { rounds, ...load } = options;
  const results = new Map<string, (SampledReport | null)[]>(field.map(({ contender }) => [contender.name, []]));
  const spinner = keepAwake(lab.core);
  for (let round = 1; round <= rounds; round++) {
    printProgress(`round ${round}/${rounds}`);
    for (const ready of field) {
      const loneLoad = { ...load, perSecond: null, connections: 1, seed: round };
      results.get(ready.contender.name)?.push(await measureSample(lab, ready, loneLoad));
    }
  }
  await Promise.all([spinner.stop(), ...field.map(({ running }) => running.stop())]);
  return `${formatLatencies(results)}\n\n${formatDifferences(results)}\n`;
}

type Results = ReadonlyMap<string, readonly (SampledReport | null)[]>;

function formatLatencies(results: Results): string {
  const rows = CONTENDERS.flatMap(({ name, title }) => {
    const good = (results.get(name) ?? []).filter((report) => report !== null);
    if (good.length === 0) return [];
    const formatFigure = (of: 'p50' | 'p99') => {
      const micros = good.map((report) => report[of] * 1000);
      return `${median(micros).toFixed(0)} (${formatSpread(micros, 0)})`;
    };
    const script = median(good.map(({ scriptMicros }) => scriptMicros));
    return [[title, formatFigure('p50'), formatFigure('p99'), script === 0 ? '' : script.toFixed(0)]];
  });
  return formatTable(['a single request, µs', 'p50', 'p99', 'of that, the script in Redis'], rows);
}

/** Formats the differences. They are taken within a round, so that a slowdown of the whole machine cancels out. */
function formatDifferences(results: Results): string {
  const rows = DIFFERENCES.map(({ title, of, to, goal, withoutScript = false }) => {
    const micros = ({ p50, scriptMicros }: SampledReport) => p50 * 1000 - (withoutScript ? scriptMicros : 0);
    const [ours, theirs] = [results.get(of.name) ?? [], results.get(to.name) ?? []];
    const differencesMicros = ours.flatMap((report, round) => {
      const other = theirs[round] ?? null;
      return report === null || other === null ? [] : [micros(report) - micros(other)];
    });
    const goalText = goal === undefined ? '' : `≤ ${goal}`;
    if (differencesMicros.length === 0) return [title, goalText, '', 'not measured'];
    const medianMicros = median(differencesMicros);
    return [
      title,
      goalText,
      `${medianMicros.toFixed(0)} (${formatSpread(differencesMicros, 0)})`,
      goal === undefined ? '' : formatVerdict(medianMicros, goal),
    ];
  });
  return formatTable(['difference of p50, µs', 'goal', 'measured', ''], rows);
}
