import { bareExpress } from '../contenders/bare-express.ts';
import type { Contender } from '../contenders/contender.ts';
import { httpUpstreamRedis } from '../contenders/http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from '../contenders/in-process.ts';
import type { Lab } from '../lab/lab.ts';
import { progress } from '../lab/session.ts';
import { checkAnswer, measure, median, type Sample, warmUp } from '../measure.ts';
import { markdown, spread, verdict } from '../table.ts';

const FIELD = [bareExpress, inProcessEmbedded, inProcessRedis, httpUpstreamRedis];

/** Goal: a request in the first second costs at most this many times the settled cost. */
const GOAL = 2;

/** One second of load from 64 clients that always have a request in progress. */
const LOAD = { seconds: 1, connections: 64, rewarm: 0 };

/** The settled cost is the median of several seconds, because the cost of a single second varies. */
const SETTLED_SECONDS = 3;

interface Warming {
  readonly first: Sample;
  readonly settled: Sample;
}

/**
 * Compares the first second of load after a start with a later second of the same process. Returns a table in Markdown.
 *
 * @param starts how often each contender is started, in turn
 */
export async function firstSecond(lab: Lab, starts: number): Promise<string> {
  const results = new Map<Contender, Warming[]>(FIELD.map((contender) => [contender, []]));
  for (let start = 1; start <= starts; start++) {
    for (const contender of FIELD) {
      const where = `start ${start}/${starts}  ${contender.name.padEnd(24)}`;
      try {
        const warming = await warmOnce(lab, contender);
        results.get(contender)?.push(warming);
        progress(`${where}${warming.first.cpu.toFixed(1)} µs, then ${warming.settled.cpu.toFixed(1)}`);
      } catch (error) {
        progress(`${where}dropped: ${(error as Error).message}`);
      }
    }
  }
  const rows = [...results].map(([contender, warmings]) => cells(contender, warmings, starts));
  const head = [
    'the first second / a settled one',
    'CPU µs/request',
    'times as much',
    `≤ ${GOAL}`,
    'p50 ms',
    'p99 ms',
    'starts',
  ];
  return `${markdown(head, rows)}\n`;
}

async function warmOnce(lab: Lab, contender: Contender): Promise<Warming> {
  const running = await contender.start(lab);
  try {
    await checkAnswer(running);
    const first = await measure(lab, running, LOAD);
    await warmUp(lab, running, LOAD);
    const settled: Sample[] = [];
    while (settled.length < SETTLED_SECONDS) settled.push(await measure(lab, running, LOAD));
    return { first, settled: middle(settled) };
  } finally {
    await running.stop();
  }
}

function middle(samples: readonly Sample[]): Sample {
  return samples.toSorted((a, b) => a.cpu - b.cpu)[samples.length >> 1]!;
}

function cells({ name, title }: Contender, warmings: readonly Warming[], starts: number): string[] {
  const good = `${warmings.length} of ${starts}`;
  if (warmings.length === 0) return [title, '', '', '', '', '', good];
  const both = (of: 'cpu' | 'p50' | 'p99') => {
    const [first, settled] = [warmings.map((each) => each.first[of]), warmings.map((each) => each.settled[of])];
    return `${median(first).toFixed(1)} / ${median(settled).toFixed(1)}`;
  };
  const ratios = warmings.map(({ first, settled }) => first.cpu / settled.cpu);
  // Bare Express has no goal. It shows how much of the ratio comes from Node itself.
  const judged = name === bareExpress.name ? '' : verdict(median(ratios), GOAL);
  const times = `${median(ratios).toFixed(2)} (${spread(ratios, 2)})`;
  return [title, both('cpu'), times, judged, both('p50'), both('p99'), good];
}
