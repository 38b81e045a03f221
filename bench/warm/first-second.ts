import { bareExpress } from '../contenders/bare-express.ts';
import type { Contender } from '../contenders/contender.ts';
import { httpUpstreamRedis } from '../contenders/http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from '../contenders/in-process.ts';
import type { Lab } from '../lab/lab.ts';
import { printProgress } from '../lab/session.ts';
import { checkResponse, measure, median, type Sample, warmUp } from '../measure.ts';
import { formatTable, formatSpread, formatVerdict } from '../table.ts';

const CONTENDERS = [bareExpress, inProcessEmbedded, inProcessRedis, httpUpstreamRedis];

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
export async function measureFirstSecond(lab: Lab, starts: number): Promise<string> {
  const results = new Map<Contender, Warming[]>(CONTENDERS.map((contender) => [contender, []]));
  for (let start = 1; start <= starts; start++) {
    for (const contender of CONTENDERS) {
      const where = `start ${start}/${starts}  ${contender.name.padEnd(24)}`;
      try {
        const warming = await warmOnce(lab, contender);
        results.get(contender)?.push(warming);
        printProgress(`${where}${warming.first.cpu.toFixed(1)} µs, then ${warming.settled.cpu.toFixed(1)}`);
      } catch (error) {
        printProgress(`${where}dropped: ${(error as Error).message}`);
      }
    }
  }
  const rows = [...results].map(([contender, warmings]) => toCells(contender, warmings, starts));
  const head = [
    'the first second / a settled one',
    'CPU µs/request',
    'times as much',
    `≤ ${GOAL}`,
    'p50 ms',
    'p99 ms',
    'starts',
  ];
  return `${formatTable(head, rows)}\n`;
}

async function warmOnce(lab: Lab, contender: Contender): Promise<Warming> {
  const running = await contender.start(lab);
  try {
    await checkResponse(running);
    const first = await measure(lab, running, LOAD);
    await warmUp(lab, running, LOAD);
    const settled: Sample[] = [];
    while (settled.length < SETTLED_SECONDS) settled.push(await measure(lab, running, LOAD));
    return { first, settled: findMedianSample(settled) };
  } finally {
    await running.stop();
  }
}

function findMedianSample(samples: readonly Sample[]): Sample {
  return samples.toSorted((a, b) => a.cpu - b.cpu)[samples.length >> 1]!;
}

function toCells({ name, title }: Contender, warmings: readonly Warming[], starts: number): string[] {
  const good = `${warmings.length} of ${starts}`;
  if (warmings.length === 0) return [title, '', '', '', '', '', good];
  const formatBoth = (of: 'cpu' | 'p50' | 'p99') => {
    const [first, settled] = [warmings.map((each) => each.first[of]), warmings.map((each) => each.settled[of])];
    return `${median(first).toFixed(1)} / ${median(settled).toFixed(1)}`;
  };
  const ratios = warmings.map(({ first, settled }) => first.cpu / settled.cpu);
  // Bare Express has no goal. It shows how much of the ratio comes from Node itself.
  const verdictText = name === bareExpress.name ? '' : formatVerdict(median(ratios), GOAL);
  const times = `${median(ratios).toFixed(2)} (${formatSpread(ratios, 2)})`;
  return [title, formatBoth('cpu'), times, verdictText, formatBoth('p50'), formatBoth('p99'), good];
}
