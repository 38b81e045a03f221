import { bareExpress, bareExpressLean, bareExpressPing } from '../contenders/bare-express.ts';
import type { Contender } from '../contenders/contender.ts';
import { httpUpstreamEmbedded, httpUpstreamRedis } from '../contenders/http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from '../contenders/in-process.ts';
import { undiciProxy } from '../contenders/undici-proxy.ts';
import { keepAwake, type Lab } from '../lab/lab.ts';
import { progress } from '../lab/session.ts';
import { median } from '../measure.ts';
import { markdown, spread, verdict } from '../table.ts';
import { type Sampled, sample, startAll } from './field.ts';

const FIELD = [
  bareExpressLean,
  bareExpress,
  bareExpressPing,
  inProcessEmbedded,
  inProcessRedis,
  undiciProxy,
  httpUpstreamEmbedded,
  httpUpstreamRedis,
];

/** A comparison, and the goal for the difference in µs, if there is one. */
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

interface LoneSettings {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures one connection that sends its next request after each response. Returns two tables in Markdown.
 *
 * The contender's core is also kept awake, because it idles after every request. If it slept, a contender that also
 * waits for Redis or an upstream would pay twice for waking a virtual CPU.
 */
export async function loneRequests(lab: Lab, settings: LoneSettings): Promise<string> {
  const field = await startAll(lab, FIELD);
  const { rounds, ...load } = settings;
  const results = new Map<string, (Sampled | null)[]>(field.map(({ contender }) => [contender.name, []]));
  const spinner = keepAwake(lab.core);
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round}/${rounds}`);
    for (const ready of field) {
      const one = { ...load, perSecond: null, connections: 1, seed: round };
      results.get(ready.contender.name)?.push(await sample(lab, ready, one));
    }
  }
  await Promise.all([spinner.stop(), ...field.map(({ running }) => running.stop())]);
  return `${latencies(results)}\n\n${differences(results)}\n`;
}

type Results = ReadonlyMap<string, readonly (Sampled | null)[]>;

function latencies(results: Results): string {
  const rows = FIELD.flatMap(({ name, title }) => {
    const good = (results.get(name) ?? []).filter((report) => report !== null);
    if (good.length === 0) return [];
    const figure = (of: 'p50' | 'p99') => {
      const micros = good.map((report) => report[of] * 1000);
      return `${median(micros).toFixed(0)} (${spread(micros, 0)})`;
    };
    const script = median(good.map(({ scriptMicros }) => scriptMicros));
    return [[title, figure('p50'), figure('p99'), script === 0 ? '' : script.toFixed(0)]];
  });
  return markdown(['a single request, µs', 'p50', 'p99', 'of that, the script in Redis'], rows);
}

/** Formats the differences. They are taken within a round, so that a slowdown of the whole machine cancels out. */
function differences(results: Results): string {
  const rows = DIFFERENCES.map(({ title, of, to, goal, withoutScript = false }) => {
    const micros = ({ p50, scriptMicros }: Sampled) => p50 * 1000 - (withoutScript ? scriptMicros : 0);
    const [ours, theirs] = [results.get(of.name) ?? [], results.get(to.name) ?? []];
    const all = ours.flatMap((report, round) => {
      const other = theirs[round] ?? null;
      return report === null || other === null ? [] : [micros(report) - micros(other)];
    });
    const promised = goal === undefined ? '' : `≤ ${goal}`;
    if (all.length === 0) return [title, promised, '', 'not measured'];
    const found = median(all);
    return [title, promised, `${found.toFixed(0)} (${spread(all, 0)})`, goal === undefined ? '' : verdict(found, goal)];
  });
  return markdown(['difference of p50, µs', 'goal', 'measured', ''], rows);
}
