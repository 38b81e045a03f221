import { WORK_PER_ADMISSION, toRunningContender, type Running } from '../contenders/contender.ts';
import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { printProgress } from '../lab/session.ts';
import { checkResponse, measure, median, type Sample } from '../measure.ts';
import { formatTable, formatSpread, formatVerdict } from '../table.ts';

/**
 * Goals: the maximum cost of a request as a multiple of the settled cost, in the first four seconds and around second
 * 6.
 */
const GOALS = { first: 1.6, later: 1.3 } as const;

/** Number of consecutive seconds that are measured, from the first request on. */
const SECONDS = 32;
/** The settled cost is the median of the last seconds. */
const SETTLED_SECONDS = 6;

const LOAD = { seconds: 1, connections: 64, rewarm: 0 };

/** A gateway that is started with V8 flags. */
interface Variant {
  readonly name: string;
  readonly store: StoreKind;
  readonly flags: readonly string[];
}

interface Course {
  readonly startMs: number;
  readonly seconds: readonly Sample[];
}

/**
 * Measures the cost of a request in each of the first seconds after a start. Returns a table in Markdown.
 *
 * @param starts how often each variant is started, in turn
 * @param flags sets of flags for V8 to compare, each separated by spaces; the first variant has no flags
 */
export async function measureHalfMinute(lab: Lab, starts: number, flags: readonly string[]): Promise<string> {
  const stores: readonly StoreKind[] = flags.length > 0 ? ['embedded'] : ['embedded', 'redis'];
  const variants = stores.flatMap((store): Variant[] => [
    { name: `${store} store`, store, flags: [] },
    ...flags.map((set) => ({ name: `\`${set}\``, store, flags: set.split(' ') })),
  ]);
  const courses = new Map<Variant, Course[]>(variants.map((variant) => [variant, []]));
  for (let start = 1; start <= starts; start++) {
    for (const variant of variants) {
      const where = `start ${start}/${starts}  ${variant.name.padEnd(24)}`;
      try {
        const course = await measureCourse(lab, variant);
        courses.get(variant)?.push(course);
        printProgress(`${where}${course.seconds.map(({ cpu }) => cpu.toFixed(0)).join(' ')}`);
      } catch (error) {
        printProgress(`${where}dropped: ${(error as Error).message}`);
      }
    }
  }
  const head = [
    'the first half minute',
    'settled, µs',
    'first 4 s / settled',
    `≤ ${GOALS.first}`,
    'second 6 / settled',
    `≤ ${GOALS.later}`,
    'second 10 / settled',
    'second 20 / settled',
    'p99 in the first second, ms',
    'to start, ms',
  ];
  const rows = [...courses].filter(([, of]) => of.length > 0).map(([{ name }, of]) => toCells(name, of));
  return `${formatTable(head, rows)}\n`;
}

async function measureCourse(lab: Lab, { store, flags }: Variant): Promise<Course> {
  const gateway = await startGateway(lab, { store, upstream: 'in-process', nodeOptions: flags });
  const running: Running = toRunningContender(gateway, await gateway.createKey());
  try {
    await checkResponse(running);
    const seconds: Sample[] = [];
    while (seconds.length < SECONDS) {
      seconds.push(await measure(lab, running, LOAD, store === 'redis' ? WORK_PER_ADMISSION : undefined));
    }
    return { startMs: gateway.startMs, seconds };
  } finally {
    await running.stop();
  }
}

function toCells(name: string, courses: readonly Course[]): string[] {
  const settled = courses.map(({ seconds }) => median(seconds.slice(-SETTLED_SECONDS).map(({ cpu }) => cpu)));
  const computeMultiples = (of: (seconds: readonly Sample[]) => number) =>
    courses.map(({ seconds }, index) => of(seconds) / settled[index]!);
  const first = computeMultiples((seconds) => computeCost(seconds.slice(0, 4)));
  // The mean of two neighboring seconds has less noise than a single second.
  const computeAround = (second: number) =>
    computeMultiples((seconds) => computeCost(seconds.slice(second - 1, second + 1)));
  const later = computeAround(6);
  const formatValues = (values: readonly number[], digits: number) =>
    `${median(values).toFixed(digits)} (${formatSpread(values, digits)})`;
  return [
    name,
    formatValues(settled, 1),
    formatValues(first, 2),
    formatVerdict(median(first), GOALS.first),
    formatValues(later, 2),
    formatVerdict(median(later), GOALS.later),
    formatValues(computeAround(10), 2),
    formatValues(computeAround(20), 2),
    formatValues(
      courses.map(({ seconds }) => seconds[0]!.p99),
      1,
    ),
    formatValues(
      courses.map(({ startMs }) => startMs),
      0,
    ),
  ];
}

/** Computes the CPU time per request over several seconds, in µs. */
function computeCost(seconds: readonly Sample[]): number {
  const requests = seconds.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
  return seconds.reduce((sum, { cpu, requestsPerSecond }) => sum + cpu * requestsPerSecond, 0) / requests;
}
