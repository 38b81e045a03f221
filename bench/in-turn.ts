import type { Running } from './contenders/contender.ts';
import type { Lab } from './lab/lab.ts';
import { progress } from './lab/session.ts';
import { checkAnswer, type LoadSettings, measure, median, type Sample, warmUp } from './measure.ts';
import { markdown, spread } from './table.ts';

/** Something that is compared with others: all of them run the whole time. */
export interface Compared {
  readonly title: string;
  readonly start: () => Promise<Running>;
}

/**
 * Measures all of them in turn, and prints the CPU time of a request, also as a ratio to the first.
 *
 * @param rounds how often; every other time in the other order, so that neither a slow minute nor a place is anybody's
 *   own, and ratios are taken within a round
 * @returns the table, in Markdown
 */
export async function compare(
  lab: Lab,
  all: readonly Compared[],
  { rounds, ...load }: LoadSettings & { readonly rounds: number },
): Promise<string> {
  const running: Running[] = [];
  for (const each of all) {
    progress(`warming up ${each.title}`);
    const started = await each.start();
    await checkAnswer(started);
    await warmUp(lab, started, load);
    running.push(started);
  }
  const measured: Sample[][] = [];
  while (measured.length < rounds) {
    const round: Sample[] = [];
    const places = running.map((_, index) => index);
    for (const index of measured.length % 2 === 0 ? places : places.toReversed()) {
      round[index] = await measure(lab, running[index]!, load);
    }
    measured.push(round);
    progress(`round ${measured.length}: ${round.map(({ cpu }) => cpu.toFixed(1)).join(' ')} µs`);
  }
  const rows = all.map(({ title }, index) => {
    const cpu = measured.map((round) => round[index]!.cpu);
    const ratios = measured.map((round) => round[index]!.cpu / round[0]!.cpu);
    const ratio = index === 0 ? '' : `${median(ratios).toFixed(2)} (${spread(ratios, 2)})`;
    return [title, `${median(cpu).toFixed(1)} (${spread(cpu, 1)})`, ratio];
  });
  return markdown(['', 'CPU µs/request', `/ ${all[0]?.title}`], rows);
}
