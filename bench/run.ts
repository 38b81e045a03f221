import { writeFileSync } from 'node:fs';
import type { Contender, Running } from './contenders/contender.ts';
import { contenders, contenderGroups } from './contenders/index.ts';
import type { Lab } from './lab/lab.ts';
import { parseLabOptions, print, printProgress, withLab } from './lab/session.ts';
import { findMissing } from './lab/tools.ts';
import { checkResponse, measure, warmUp, type Sample } from './measure.ts';
import { formatContenders, formatGoals } from './table.ts';

const values = parseLabOptions(
  {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
  `npm run bench -- [options]

  --rounds N        how often each contender is measured, in turn, there and back (12)
  --seconds N       for how long each time (2)
  --connections N   how many clients at once (64)
  --only A,B        these contenders; --list names all
  --json FILE       every sample, for other programs
  --list            names the contenders, and runs nothing`,
);

interface StartedContender {
  readonly contender: Contender;
  readonly running: Running;
}

if (values.list) {
  for (const { name, title } of contenders) print(`${name.padEnd(24)}${title}`);
} else {
  await withLab(values, runBench);
}

async function runBench(lab: Lab): Promise<void> {
  const results = new Map<string, (Sample | null | undefined)[]>();
  const chosenContenders = chooseContenders();
  for (const group of contenderGroups)
    await runGroup(
      lab,
      group.filter((contender) => chosenContenders.includes(contender)),
      results,
    );
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(Object.fromEntries(results), null, 2));
  print(formatContenders(contenders, results));
  print(formatGoals(results));
}

/**
 * Adds the samples of further rounds. Contenders are measured in turn, so that a slow minute of the machine affects
 * them all.
 */
async function runGroup(lab: Lab, group: readonly Contender[], results: Map<string, (Sample | null | undefined)[]>) {
  const load = { seconds: Number(values.seconds), connections: Number(values.connections) };
  const field: StartedContender[] = [];
  for (const contender of group) {
    const startedContender = await startAndWarm(lab, contender, load);
    if (startedContender !== null) field.push(startedContender);
  }
  const first = Math.max(0, ...[...results.values()].map(({ length }) => length));
  const rounds = Number(values.rounds);
  for (let round = 0; round < rounds; round++) {
    for (const { contender, running } of round % 2 === 0 ? field : field.toReversed()) {
      const samples = results.get(contender.name) ?? [];
      results.set(contender.name, samples);
      const where = `round ${round + 1}/${rounds}  ${contender.name.padEnd(24)}`;
      try {
        const sample = await measure(lab, running, load, contender.redis);
        samples[first + round] = sample;
        printProgress(`${where}${sample.cpu.toFixed(1)} µs`);
      } catch (error) {
        samples[first + round] = null;
        printProgress(`${where}dropped: ${(error as Error).message}`);
      }
    }
  }
  await Promise.all(field.map(({ running }) => running.stop()));
}

function chooseContenders(): readonly Contender[] {
  if (values.only === undefined) return contenders;
  const names = values.only.split(',');
  const unknown = names.filter((name) => !contenders.some((contender) => contender.name === name));
  if (unknown.length > 0) throw new Error(`no such contender: ${unknown.join(', ')} (--list names all)`);
  return contenders.filter(({ name }) => names.includes(name));
}

/** Null if the contender cannot take part. The reason is printed. */
async function startAndWarm(
  lab: Lab,
  contender: Contender,
  load: { seconds: number; connections: number },
): Promise<StartedContender | null> {
  const missingTools = findMissing(contender.needs ?? []);
  if (missingTools.length > 0) {
    print(
      `skipped: ${contender.name}, for want of ${missingTools.map((tool) => tool.package).join(', ')} (see --install)\n`,
    );
    return null;
  }
  let running: Running | undefined;
  try {
    running = await contender.start(lab);
    await checkResponse(running);
    printProgress(`warming up ${contender.name}`);
    await warmUp(lab, running, load);
    return { contender, running };
  } catch (error) {
    await running?.stop();
    print(`skipped: ${contender.name}: ${(error as Error).message}\n`);
    return null;
  }
}
