import { parseArgs } from 'node:util';
import { fuzzRound, playRound } from './runner.ts';
import { targets } from './targets.ts';
import type { Target } from './target.ts';

/** `npm run fuzz -- [client|service|module|fault …] [--seed N] [--minutes M] [--keep-going]` */
const REPORT_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    minutes: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
    // Plays one script, as a finding prints it, for as long as it goes well.
    script: { type: 'string' },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function runTarget(target: Target<never>, from: number, ms: number): Promise<number> {
  const known = new Set<string>();
  const until = performance.now() + ms;
  let [cases, seed, reportedAt] = [0, from, 0];
  const world = await target.open();
  const report = async () => {
    reportedAt = performance.now();
    const heap = Math.round((await world.heap()) / 1e6);
    say(
      `${target.name}: ${seed - from} rounds (seeds ${from} to ${seed - 1}), ${cases} cases, ${known.size} findings, heap ${heap} MB`,
    );
  };
  try {
    while (performance.now() < until && (known.size === 0 || values['keep-going'])) {
      const result =
        values.script === undefined
          ? await fuzzRound(target, world, seed, { known, until })
          : await playRound(world, JSON.parse(values.script) as never);
      cases += result.cases;
      if (result.found !== null) {
        const { kind, error, script } = result.found;
        known.add(kind);
        say(
          `FINDING ${JSON.stringify({ target: target.name, seed, story: kind, script })}\n${error.stack ?? error.message}`,
        );
      }
      seed++;
      if (performance.now() - reportedAt > REPORT_MS) await report();
    }
    await report();
  } finally {
    await world.close();
  }
  return known.size;
}

const chosen = positionals.length === 0 ? targets.map(({ name }) => name) : positionals;
let findings = 0;
for (const name of chosen) {
  const target = targets.find((each) => each.name === name);
  if (target === undefined)
    throw new Error(`no such target: ${name}; there are ${targets.map((each) => each.name).join(', ')}`);
  findings += await runTarget(target, Number(values.seed), (Number(values.minutes) * 60_000) / chosen.length);
}
process.exit(findings === 0 ? 0 : 1);
