import type { Running } from './contenders/contender.ts';
import type { Lab } from './lab/lab.ts';
import { print, printProgress } from './lab/session.ts';
import type { Requests } from './lab/wrk.ts';
import { checkResponse, type LoadOptions, measure, median, type Sample, warmUp } from './measure.ts';
import { formatTable, formatSpread } from './table.ts';

/** A server to compare with others. All servers of a comparison run the whole time. */
export interface ComparedServer {
  readonly title: string;
  readonly start: () => Promise<Running>;
  /** The requests to send, if they are not all the same. */
  readonly requests?: Requests | undefined;
  /**
   * The number of requests for the warm-up, if it needs more than the default, for example one for each of many keys.
   */
  readonly warmUpRequests?: number | undefined;
}

export type InTurnOptions = LoadOptions & { readonly rounds: number };

interface Started {
  readonly running: Running;
  readonly load: LoadOptions;
}

/** The CPU time of a request in each good round, in µs. */
interface Measured {
  readonly title: string;
  readonly cpu: readonly number[];
}

/**
 * Measures servers in turn, and then stops them. Every other round is in reverse order, and ratios are taken within a
 * round. So neither a slow minute nor a place in the order affects only one of the servers.
 *
 * @returns the results in the order of the servers
 * @throws if no round was good
 */
export async function measureInTurn(
  lab: Lab,
  servers: readonly ComparedServer[],
  { rounds, ...load }: InTurnOptions,
): Promise<Measured[]> {
  const field: Started[] = [];
  try {
    for (const { title, start, requests, warmUpRequests } of servers) {
      printProgress(`warming up ${title}`);
      const running = await start();
      const serverLoad = { ...load, requests, warmUpRequests };
      field.push({ running, load: serverLoad });
      await checkResponse(running);
      await warmUp(lab, running, serverLoad);
    }
    const measured: Sample[][] = [];
    for (let turn = 0; turn < rounds; turn++) {
      const round = await measureRound(lab, servers, field, turn % 2 === 1);
      if (round !== null) measured.push(round);
    }
    if (measured.length === 0) throw new Error('no round was good');
    if (measured.length < rounds) print(`${rounds - measured.length} of ${rounds} rounds were dropped:\n`);
    return servers.map(({ title }, index) => ({ title, cpu: measured.map((round) => round[index]!.cpu) }));
  } finally {
    await Promise.all(field.map(({ running }) => running.stop()));
  }
}

/** Measures each server once. Null if one measurement failed, because ratios need all of them. */
async function measureRound(
  lab: Lab,
  servers: readonly ComparedServer[],
  field: readonly Started[],
  isReversed: boolean,
): Promise<Sample[] | null> {
  const round: Sample[] = [];
  const places = [...field.entries()];
  for (const [index, { running, load }] of isReversed ? places.toReversed() : places) {
    try {
      round[index] = await measure(lab, running, load);
    } catch (error) {
      printProgress(`round dropped: ${servers[index]!.title}: ${(error as Error).message}`);
      return null;
    }
  }
  printProgress(`round: ${round.map(({ cpu }) => cpu.toFixed(1)).join(' ')} µs`);
  return round;
}

/** Returns a table in Markdown with the CPU time of a request, and its ratio to the first row. */
export async function compare(lab: Lab, servers: readonly ComparedServer[], options: InTurnOptions): Promise<string> {
  const measured = await measureInTurn(lab, servers, options);
  const base = measured[0]!;
  const rows = measured.map((each) => [
    each.title,
    formatTimes(each),
    each === base ? '' : computeRatio(each, base).text,
  ]);
  return formatTable(['', 'CPU µs/request', `/ ${base.title}`], rows);
}

/** Formats CPU times for a cell of a table: the median, with the smallest and the largest. */
export function formatTimes({ cpu }: Measured): string {
  return `${median(cpu).toFixed(1)} (${formatSpread(cpu, 1)})`;
}

/** Divides the CPU times of one server by those of another, round by round. */
export function computeRatio(first: Measured, second: Measured): { readonly median: number; readonly text: string } {
  const ratios = first.cpu.map((cpu, round) => cpu / second.cpu[round]!);
  return { median: median(ratios), text: `${median(ratios).toFixed(2)} (${formatSpread(ratios, 2)})` };
}
