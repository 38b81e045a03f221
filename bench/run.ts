import { writeFileSync } from 'node:fs';
import type { Contender, Running } from './contenders/contender.ts';
import { contenders, heats } from './contenders/index.ts';
import type { Lab } from './lab/lab.ts';
import { options, print, progress, withLab } from './lab/session.ts';
import { missing } from './lab/tools.ts';
import { checkAnswer, measure, warmUp, type Sample } from './measure.ts';
import { contenderTable, goalTable } from './table.ts';

const values = options(
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

interface Started {
  readonly contender: Contender;
  readonly running: Running;
}

if (values.list) {
  for (const { name, title } of contenders) print(`${name.padEnd(24)}${title}`);
} else {
  await withLab(values, bench);
}

async function bench(lab: Lab): Promise<void> {
  const results = new Map<string, (Sample | null | undefined)[]>();
  const only = chosen();
  for (const heat of heats)
    await runHeat(
      lab,
      heat.filter((contender) => only.includes(contender)),
      results,
    );
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(Object.fromEntries(results), null, 2));
  print(contenderTable(contenders, results));
  print(goalTable(results));
}

/**
 * Adds the samples of further rounds. Contenders are measured in turn, so that a slow minute of the machine affects
 * them all.
 */
async function runHeat(lab: Lab, heat: readonly Contender[], results: Map<string, (Sample | null | undefined)[]>) {
  const load = { seconds: Number(values.seconds), connections: Number(values.connections) };
  const field: Started[] = [];
  for (const contender of heat) {
    const started = await startAndWarm(lab, contender, load);
    if (started !== null) field.push(started);
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
        progress(`${where}${sample.cpu.toFixed(1)} µs`);
      } catch (error) {
        samples[first + round] = null;
        progress(`${where}dropped: ${(error as Error).message}`);
      }
    }
  }
  await Promise.all(field.map(({ running }) => running.stop()));
}

function chosen(): readonly Contender[] {
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
): Promise<Started | null> {
  const absent = missing(contender.needs ?? []);
  if (absent.length > 0) {
    print(`skipped: ${contender.name}, for want of ${absent.map((tool) => tool.package).join(', ')} (see --install)\n`);
    return null;
  }
  let running: Running | undefined;
  try {
    running = await contender.start(lab);
    await checkAnswer(running);
    progress(`warming up ${contender.name}`);
    await warmUp(lab, running, load);
    return { contender, running };
  } catch (error) {
    await running?.stop();
    print(`skipped: ${contender.name}: ${(error as Error).message}\n`);
    return null;
  }
}
